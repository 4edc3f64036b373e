import type { StoredReport } from '../../../domain/dispute.ts';
import type {
  InquiryOutcome,
  ProviderEvent,
  RefundInquiryOutcome,
  RefundProviderEvent,
} from '../../../domain/provider-outcome.ts';
import type { PaymentProvider } from '../../../providers/payment-provider.ts';
import type { ProviderUnderContract } from './subject.ts';

type ProviderReportedEvent = ReturnType<PaymentProvider['parseWebhook']>['events'][number];

/** What the adapter reads from everything that the sandbox has sent, oldest first, as the engine would have stored it. */
function readReports({ provider, webhooks }: ProviderUnderContract): readonly ProviderReportedEvent[] {
  const sent = webhooks?.sent() ?? [];
  return sent.flatMap(({ body, headers }) => provider.parseWebhook(body, headers).events);
}

/** The latest report about an attempt; null where there is none. */
export function reportOfAttempt(subject: ProviderUnderContract, attemptId: string): InquiryOutcome | null {
  const isAboutIt = (event: ProviderReportedEvent): event is ProviderEvent =>
    'attemptId' in event && event.attemptId === attemptId;
  return readReports(subject).findLast(isAboutIt)?.outcome ?? null;
}

/** The latest report about a refund; null where there is none. */
export function reportOfRefund(subject: ProviderUnderContract, refundId: string): RefundInquiryOutcome | null {
  const isAboutIt = (event: ProviderReportedEvent): event is RefundProviderEvent =>
    'refundId' in event && event.refundId === refundId;
  return readReports(subject).findLast(isAboutIt)?.refundOutcome ?? null;
}

/** What was reported of a dispute, oldest first, with the payment that each report names. */
export function reportsOfDispute(
  subject: ProviderUnderContract,
  providerReference: string,
): readonly (StoredReport & { readonly of: string })[] {
  return readReports(subject).flatMap((event) => {
    const { eventId } = event as { readonly eventId: string };
    if ('dispute' in event && event.dispute.providerReference === providerReference)
      return [{ ...event.dispute, eventId, of: event.dispute.attemptId }];
    if (!('report' in event) || !('dispute' in event.report)) return [];
    const { dispute } = event.report;
    return dispute.providerReference === providerReference
      ? [{ ...dispute, eventId, of: event.providerPaymentId }]
      : [];
  });
}

/** How the provider calls the captures of an attempt that it has reported as refused. */
export function captureRefusalsOf(subject: ProviderUnderContract, attemptId: string): readonly string[] {
  return readReports(subject).flatMap((event) =>
    'captureRefusal' in event && event.captureRefusal.attemptId === attemptId
      ? [event.captureRefusal.captureReference]
      : [],
  );
}

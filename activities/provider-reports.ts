import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import type { CaptureMethod } from '../domain/payment.ts';
import {
  type CaptureRefusalEvent,
  type InquiryOutcome,
  isCaptureRefusal,
  isFinal,
  isFinalRefund,
  isProviderEvent,
  isRefundEvent,
  isVoided,
  type ProviderEvent,
  type RefundInquiryOutcome,
} from '../domain/provider-outcome.ts';
import type { Database } from '../prisma/connection/client.ts';
import { selectLatestReports } from '../prisma/queries/provider-event.ts';

interface AttemptAtProvider {
  readonly provider: string;
  readonly attemptId: string;
}

interface ReportedAttempt extends AttemptAtProvider {
  readonly captureMethod: CaptureMethod;
}

interface ReportedRefund extends AttemptAtProvider {
  readonly refundId: string;
}

export type RefusedCapture = CaptureRefusalEvent['captureRefusal'];

/** The reports in providers' verified webhooks, for providers that cannot be asked. Only reads. */
export interface ProviderReports {
  /**
   * The latest report about an attempt, a final one before an open one; null where there is none. Webhooks arrive in any order: a
   * capture or a void counts, even if the report of the authorization arrives after it. Under automatic capture an authorization is
   * reported as `captured`, so a void counts more than a capture. An authorization counts more than a decline: the money is there.
   */
  ofAttempt(attempt: ReportedAttempt): Promise<InquiryOutcome | null>;
  /** The same of a refund; null where there is none. */
  ofRefund(refund: ReportedRefund): Promise<RefundInquiryOutcome | null>;
  /** The captures of an attempt that the provider had accepted, and refused later. */
  refusedCaptures(attempt: AttemptAtProvider): Promise<readonly RefusedCapture[]>;
}

export function createProviderReports(database: Pick<Database, 'direct'>): ProviderReports {
  /** Newest first. */
  const read = async ({ provider, attemptId }: AttemptAtProvider, refundId: string | null): Promise<unknown[]> => {
    const paymentIntentId = paymentIntentIdOfAttempt(attemptId);
    if (paymentIntentId === undefined) return [];
    const rows = await database.direct.rows(selectLatestReports(provider, { paymentIntentId, refundId }));
    return rows.map(({ event }) => event);
  };
  return {
    async ofAttempt(attempt) {
      const isAboutIt = (event: unknown): event is ProviderEvent =>
        isProviderEvent(event) && event.attemptId === attempt.attemptId && event.notUnderstood === undefined;
      const outcomes = (await read(attempt, null))
        .filter(isAboutIt)
        .map(({ outcome }) => outcome)
        .filter((outcome) => !isReturn(outcome));
      const findOfKind = (kind: InquiryOutcome['kind']) => outcomes.find((outcome) => outcome.kind === kind);
      const voided = attempt.captureMethod === 'automatic' ? outcomes.find(isVoided) : undefined;
      const ended = voided ?? outcomes.find(isCaptured) ?? findOfKind('not_charged') ?? findOfKind('approved');
      return ended ?? outcomes.find(isFinal) ?? outcomes[0] ?? null;
    },
    async ofRefund(refund) {
      const outcomes = (await read(refund, refund.refundId)).filter(isRefundEvent).map((event) => event.refundOutcome);
      return outcomes.find(isFinalRefund) ?? outcomes[0] ?? null;
    },
    async refusedCaptures(attempt) {
      const refusals = (await read(attempt, null)).filter(isCaptureRefusal).map((event) => event.captureRefusal);
      return refusals.filter(({ attemptId }) => attemptId === attempt.attemptId);
    },
  };
}

/** The event that the customer has come back is no report of the provider. */
function isReturn(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'pending' && outcome.isReturned === true;
}

function isCaptured(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'approved' && outcome.captured;
}

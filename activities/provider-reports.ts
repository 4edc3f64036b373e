import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import {
  type InquiryOutcome,
  isProviderEvent,
  isRefundEvent,
  type ProviderEvent,
  type RefundInquiryOutcome,
  type RefundProviderEvent,
} from '../domain/provider-outcome.ts';
import type { Database } from '../prisma/client.ts';
import { selectLatestReports } from '../prisma/queries/provider-event.ts';

interface ReportedAttempt {
  readonly provider: string;
  readonly attemptId: string;
}

interface ReportedRefund extends ReportedAttempt {
  readonly refundId: string;
}

/** What verified webhooks of providers have reported, for providers that cannot be asked. Only reads. */
export interface ProviderReports {
  /** The latest report about an attempt; null where there is none. */
  ofAttempt(attempt: ReportedAttempt): Promise<InquiryOutcome | null>;
  /** The latest report about a refund; null where there is none. */
  ofRefund(refund: ReportedRefund): Promise<RefundInquiryOutcome | null>;
}

export function createProviderReports(database: Pick<Database, 'direct'>): ProviderReports {
  /** Newest first. */
  const read = async ({ provider, attemptId }: ReportedAttempt, refundId: string | null): Promise<unknown[]> => {
    const paymentIntentId = paymentIntentIdOfAttempt(attemptId);
    if (paymentIntentId === undefined) return [];
    const rows = await database.direct.rows(selectLatestReports(provider, { paymentIntentId, refundId }));
    return rows.map(({ event }) => event);
  };
  return {
    async ofAttempt(attempt) {
      const isAboutIt = (event: unknown): event is ProviderEvent =>
        isProviderEvent(event) && event.attemptId === attempt.attemptId;
      return (await read(attempt, null)).find(isAboutIt)?.outcome ?? null;
    },
    async ofRefund(refund) {
      const isAboutIt = (event: unknown): event is RefundProviderEvent => isRefundEvent(event);
      return (await read(refund, refund.refundId)).find(isAboutIt)?.refundOutcome ?? null;
    },
  };
}

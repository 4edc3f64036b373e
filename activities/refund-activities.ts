import type { Environment } from '../domain/payment.ts';
import type { FinalRefundOutcome, RefundInquiryOutcome, RefundOutcome } from '../domain/provider-outcome.ts';
import type { RefundConclusion } from '../domain/refund.ts';

/** Which refund at which provider; the refund's id is the provider's idempotency key. */
export interface RefundAtProvider {
  readonly refundId: string;
  readonly provider: string;
  readonly environment: Environment;
}

export interface RefundPaymentRequest extends RefundAtProvider {
  readonly attemptId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export interface RefundPaymentResult {
  readonly outcome: RefundOutcome;
  /** Calls made to the provider, this one included. */
  readonly tries: number;
}

/** What a refund's workflow has done for it. Outages are thrown as retryable failures named by their `OutageCode`. */
export interface RefundActivities {
  refundPayment(request: RefundPaymentRequest): Promise<RefundPaymentResult>;
  /** Asks once what became of a refund. */
  inquireRefund(refund: RefundAtProvider): Promise<RefundInquiryOutcome>;
  /** Asks until the provider has a final answer; as long as it has none, the activity fails and is retried. */
  awaitRefund(refund: RefundAtProvider): Promise<FinalRefundOutcome>;
  /** Writes the end of a refund, exactly once. */
  recordRefund(conclusion: RefundConclusion): Promise<void>;
}

import type { JsonObject } from '../domain/json.ts';
import type { Environment } from '../domain/payment.ts';
import type {
  FinalRefundOutcome,
  ProviderEventReference,
  RefundInquiryOutcome,
  RefundProviderEvent,
} from '../domain/provider-outcome.ts';
import type { RefundResolution } from '../domain/refund.ts';

/** A refund as calls to its provider name it; its id is the provider's idempotency key. */
export interface RefundAtProvider {
  readonly refundId: string;
  readonly provider: string;
  readonly environment: Environment;
  /** The requested amount; if a provider reports another one, the outcome is unknown. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly attemptId: string;
  readonly providerPaymentId: string;
}

export interface RefundPaymentRequest extends RefundAtProvider {
  /** The merchant's own identifier, for the provider's statement; absent where there is none. */
  readonly reference?: string;
}

export interface ReadRefundEventRequest extends ProviderEventReference {
  readonly refundId: string;
  readonly paymentIntentId: string;
}

export interface RefundPaymentResult {
  readonly outcome: RefundInquiryOutcome;
  /** The provider's response where its adapter does not know the shape; nothing was refunded then. */
  readonly unrecognised: JsonObject | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

/** The activities of a refund's workflow. A provider outage is a retryable failure whose type is the `OutageCode`. */
export interface RefundActivities {
  /** Requests the refund from the provider. Repeated under its key until the provider has answered. */
  refundPayment(request: RefundPaymentRequest): Promise<RefundPaymentResult>;
  /** Makes inquiries until the provider has a final outcome; until then the activity fails and is retried. */
  awaitRefund(refund: RefundAtProvider): Promise<FinalRefundOutcome>;
  /** Reads the event of a verified webhook about the refund; null where there is none. Writes nothing. */
  readRefundEvent(request: ReadRefundEventRequest): Promise<RefundProviderEvent | null>;
  /** The end of a refund as it is recorded; null while there is none. */
  readRefundEnd(refundId: string): Promise<RefundResolution | null>;
  /** Writes the end of a refund, exactly once. */
  recordRefund(resolution: RefundResolution): Promise<void>;
  /** Writes that a refund which had succeeded has failed after all, exactly once. */
  recordRefundFailure(resolution: RefundResolution): Promise<void>;
}

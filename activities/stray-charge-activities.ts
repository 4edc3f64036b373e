import type { Environment } from '../domain/payment.ts';
import type { ClosedStrayCharge, StrayAttempt, StrayCharge, StrayChargeEnd } from '../domain/stray-charge.ts';

/** The attempt as calls to its provider name it; its id is the provider's idempotency key. */
export interface StrayChargeAtProvider extends StrayAttempt {
  readonly paymentIntentId: string;
  readonly environment: Environment;
  /** How the run before this one ended; absent at the first run. */
  readonly takeOverAfter?: string;
}

export interface RecordStrayChargeRequest extends StrayChargeAtProvider {
  readonly end: StrayChargeEnd;
  /** ISO 8601 UTC, by the workflow's clock. */
  readonly at: string;
}

/**
 * What the workflow of a stray charge has done for it, besides the refund. Each writes what it learnt into the timeline of the
 * payment. Outages are thrown as retryable failures named by their `OutageCode`.
 */
export interface StrayChargeActivities {
  /** Asks the provider what it has of the attempt's money; begins with the timeline's lines of the report and a takeover. */
  inquireStrayCharge(charge: StrayChargeAtProvider): Promise<StrayCharge>;
  /** Has the provider void what it holds; as long as it holds something, the activity fails and is retried. */
  voidStrayCharge(charge: StrayChargeAtProvider): Promise<ClosedStrayCharge>;
  /** Writes the end of a stray charge, exactly once. */
  recordStrayCharge(request: RecordStrayChargeRequest): Promise<void>;
}

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
 * The activities of a stray charge's workflow, besides those of the refund. Each adds its result to the payment's timeline.
 * A provider outage is a retryable failure whose type is the `OutageCode`.
 */
export interface StrayChargeActivities {
  /** Inquires whether the provider holds or captured money; adds the report and a takeover to the timeline first. */
  inquireStrayCharge(charge: StrayChargeAtProvider): Promise<StrayCharge>;
  /** Has the provider void its hold; while something is held, the activity fails and is retried. */
  voidStrayCharge(charge: StrayChargeAtProvider): Promise<ClosedStrayCharge>;
  /** Writes the end of a stray charge, exactly once. */
  recordStrayCharge(request: RecordStrayChargeRequest): Promise<void>;
}

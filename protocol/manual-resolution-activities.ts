import type { JsonObject } from '../domain/json.ts';
import type { RefundAtProvider } from './refund-activities.ts';
import type { StrayChargeAtProvider } from './stray-charge-activities.ts';

/** What one of the two people says who resolve something by hand. */
export interface ManualResolutionNote {
  readonly paymentIntentId: string;
  readonly by: string;
  /** Outcome, note and amounts, for the audit log. */
  readonly change: JsonObject & { readonly outcome: string; readonly note: string };
  /** Whether this is the second person, so that the resolution takes effect. */
  readonly isConfirmed: boolean;
}

/** The activities that write down what support staff decide about a refund or a stray charge. */
export interface ManualResolutionActivities {
  /** Adds a person's resolution of a refund to the payment's timeline and to the audit log, exactly once. */
  noteRefundResolution(request: ManualResolutionNote & RefundAtProvider): Promise<void>;
  /** Adds a person's resolution of a stray charge to the payment's timeline and to the audit log, exactly once. */
  noteStrayChargeResolution(request: ManualResolutionNote & StrayChargeAtProvider): Promise<void>;
}

import type { PaymentError } from './payment.ts';

/** Every state of a refund; all but `pending` are terminal. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Who made a refund. `provider`: the provider, or somebody in its dashboard, without a request of this engine. */
export const REFUND_ORIGINS = ['engine', 'provider'] as const;
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

/** Why a merchant refunds a payment. */
export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** The result of a refund, with the error if it failed. */
export interface RefundResult {
  readonly status: RefundStatus;
  readonly error: PaymentError | null;
}

/** The end of a refund, recorded once and in one statement. */
export interface RefundResolution {
  readonly refundId: string;
  readonly at: string;
  readonly status: Exclude<RefundStatus, 'pending'>;
  readonly providerRefundId: string | null;
  readonly failure: PaymentError | null;
  /** The refunded amount in minor units, where two people have recorded another one than was asked for. */
  readonly refundedMinor?: number;
  /** Calls made to the provider. */
  readonly tries: number;
}

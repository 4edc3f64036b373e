import type { PaymentError } from './payment.ts';

/** Every state a refund can be in; only `pending` is left again. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a merchant gives money back. */
export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** What a refund came to, with the failure if it failed. */
export interface RefundResult {
  readonly status: RefundStatus;
  readonly error: PaymentError | null;
}

/** The end of a refund, recorded in one statement and once. */
export interface RefundResolution {
  readonly refundId: string;
  readonly at: string;
  readonly status: Exclude<RefundStatus, 'pending'>;
  readonly providerRefundId: string | null;
  readonly failure: PaymentError | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

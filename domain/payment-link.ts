import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** Whether a payment link can be paid now, and if not, why. */
export const PAYMENT_LINK_STATUSES = ['active', 'inactive', 'expired', 'used_up'] as const;
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number];

/** Bounds of how many payments of a link may succeed. */
export const MAX_PAYMENTS_LIMITS = { minimum: 1, maximum: 1_000_000 } as const;

/** How far ahead a link may expire. */
export const LONGEST_VALIDITY_MS = 3_653 * DAY_MS;

/** How long a customer has, from the first try on, to complete a payment of a link. */
export const LINK_PAYMENT_EXPIRY_MS = 30 * MINUTE_MS;

/** After so long without a confirm, an opened payment may be canceled for another browser. */
export const LINK_PAYMENT_IDLE_MS = MINUTE_MS;

/** How long a confirm keeps its place among a link's payments before it has begun: no confirm begins later. */
export const LINK_CONFIRM_MS = 2 * MINUTE_MS;

/**
 * How long a payment keeps its place while it waits for its customer, such as in 3-D Secure. Who has held the link so long, and
 * confirms again, has no more than the time until somebody else wants to pay.
 */
export const LINK_ACTION_IDLE_MS = 10 * MINUTE_MS;

/** How long it is remembered from which network a link was held. */
export const LINK_HOLD_MEMORY_MS = HOUR_MS;

/** Payments of a link that one address may have opened in ten minutes without confirming them. */
export const LINK_OPENINGS = { limit: 5, windowMs: 10 * MINUTE_MS } as const;

/** The data that decide whether a link can be paid. */
export interface PaymentLinkState {
  readonly active: boolean;
  readonly expiresAt: Date | null;
  readonly maxPayments: number | null;
  /** Payments that succeeded. */
  readonly paidPayments: number;
}

/** Whether a link can be paid at a time, and if not, why. @param nowMs in ms since the epoch */
export function paymentLinkStatus(
  { active, expiresAt, maxPayments, paidPayments }: PaymentLinkState,
  nowMs: number,
): PaymentLinkStatus {
  if (maxPayments !== null && paidPayments >= maxPayments) return 'used_up';
  if (!active) return 'inactive';
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? 'expired' : 'active';
}

import { isTerminal, type PaymentStatus } from './payment-state.ts';
import { DAY_MS } from './time.ts';

/** How long a client secret still reads its payment after the payment's end, for pages that are loaded again. */
export const READABLE_AFTER_END_MS = DAY_MS;

/** When a client secret stops reading its payment, in ms since the epoch; null before the payment's end. */
export function clientSecretExpiryMs(status: PaymentStatus, statusSince: Date): number | null {
  return isTerminal(status) ? statusSince.getTime() + READABLE_AFTER_END_MS : null;
}

import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { PaymentError, PaymentMethodType } from './payment.ts';

/** Smallest and largest amount of one method in one currency, in minor units. */
export interface ChannelLimit {
  readonly minimumMinor: number;
  readonly maximumMinor: number;
}

/** The error for an amount outside its channel's limit; null where the amount is within it, or there is no limit. */
export function checkChannelLimit(
  payment: { readonly amountMinor: number; readonly currency: string; readonly method: PaymentMethodType },
  limit: ChannelLimit | null,
): PaymentError | null {
  if (limit === null) return null;
  const code =
    payment.amountMinor < limit.minimumMinor
      ? 'CHANNEL_LIMIT_MIN_EXCEEDED'
      : payment.amountMinor > limit.maximumMinor
        ? 'CHANNEL_LIMIT_MAX_EXCEEDED'
        : null;
  if (code === null) return null;
  return {
    code,
    message:
      `${ERROR_CATALOGUE[code].message} Expected ${limit.minimumMinor} to ${limit.maximumMinor} minor units of ` +
      `${payment.currency} with ${payment.method}; got ${payment.amountMinor}.`,
    details: {
      amount: payment.amountMinor,
      currency: payment.currency,
      paymentMethod: payment.method,
      minimumAmount: limit.minimumMinor,
      maximumAmount: limit.maximumMinor,
    },
  };
}

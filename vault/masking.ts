import { cardBrandOf } from '../domain/card-brand.ts';
import type { MaskedPaymentMethod } from '../domain/payment.ts';
import type { PaymentMethodDetails } from '../providers/payment-provider.ts';

/** The parts of a payment method that may be displayed: brand and last four digits, or first and last letter of the VPA. */
export function maskPaymentMethod(details: PaymentMethodDetails): MaskedPaymentMethod {
  if (details.type === 'upi') return { type: 'upi', vpa: details.vpa === null ? null : maskVpa(details.vpa) };
  if (details.type === 'crypto') return details;
  if (details.type === 'card_token') return UNKNOWN_CARD;
  const { number, expiryMonth, expiryYear } = details;
  return { type: 'card', brand: cardBrand(number), last4: number.slice(-4), expiryMonth, expiryYear };
}

/** Only the provider knows the card for which its token stands. */
const UNKNOWN_CARD = { type: 'card', brand: 'unknown', last4: null, expiryMonth: null, expiryYear: null } as const;

/** The brand's name in lower case with underscores, `unknown` where the number belongs to none. */
function cardBrand(number: string): string {
  return cardBrandOf(number)?.name ?? 'unknown';
}

/** `success@upi` → `s*****s@upi`; names of one or two letters show their first only. */
export function maskVpa(vpa: string): string {
  const separator = vpa.lastIndexOf('@');
  const name = vpa.slice(0, separator);
  const last = name.length > 2 ? name.slice(-1) : '';
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(name.length - 1 - last.length, 1))}${last}${vpa.slice(separator)}`;
}

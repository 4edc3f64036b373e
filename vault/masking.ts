import cardValidator from 'card-validator';
import type { PaymentMethodDetails } from '../providers/payment-provider.ts';

/** A masked payment method. */
export type MaskedPaymentMethod =
  | {
      readonly type: 'card';
      readonly brand: string;
      readonly last4: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
    }
  | { readonly type: 'upi'; readonly vpa: string }
  | { readonly type: 'crypto'; readonly asset: string; readonly network: string };

/** The parts of a payment method that may be displayed: brand and last four digits, or first and last letter of the VPA. */
export function maskPaymentMethod(details: PaymentMethodDetails): MaskedPaymentMethod {
  if (details.type === 'upi') return { type: 'upi', vpa: maskVpa(details.vpa) };
  if (details.type === 'crypto') return details;
  const { number, expiryMonth, expiryYear } = details;
  return { type: 'card', brand: cardBrand(number), last4: number.slice(-4), expiryMonth, expiryYear };
}

/** The brand's name in lower case with underscores, `unknown` where the number belongs to none. */
function cardBrand(number: string): string {
  return cardValidator.number(number).card?.type.replaceAll('-', '_') ?? 'unknown';
}

/** `success@upi` → `s*****s@upi`; names of one or two letters show their first only. */
export function maskVpa(vpa: string): string {
  const separator = vpa.lastIndexOf('@');
  const name = vpa.slice(0, separator);
  const last = name.length > 2 ? name.slice(-1) : '';
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(name.length - 1 - last.length, 1))}${last}${vpa.slice(separator)}`;
}

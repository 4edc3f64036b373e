import cardValidator from 'card-validator';
import { z } from 'zod';
import { CRYPTO_ASSET_CODES, CRYPTO_NETWORKS, isOnNetwork } from '../../domain/crypto-assets.ts';
import type { PaymentMethodDetails } from '../../providers/payment-provider.ts';
import { refinement, text } from './common.ts';

const SEPARATORS = /[ -]/g;
const VPA = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}@[A-Za-z][A-Za-z0-9.-]{1,63}$/;
const DEFAULT_CVC_LENGTH = 3;

const cardNumber = z
  .string()
  .regex(/^\d[\d -]{10,30}\d$/, { abort: true })
  .transform((value) => value.replace(SEPARATORS, ''))
  .refine((value) => cardValidator.number(value).isValid, refinement({ fieldCode: 'invalid' }));

const card = z
  .strictObject({
    number: cardNumber,
    expiryMonth: z.number().int().min(1).max(12),
    expiryYear: z.number().int().min(2_000).max(2_100),
    cvc: z.string().regex(/^\d+$/, { abort: true }).min(3).max(4),
    holderName: text(255).nullish(),
  })
  .superRefine(({ number, expiryMonth, expiryYear, cvc }, context) => {
    const expiry = { month: String(expiryMonth).padStart(2, '0'), year: String(expiryYear) };
    if (cardValidator.expirationMonth(expiry.month).isValid && !cardValidator.expirationDate(expiry).isValid) {
      const params = hasExpired(expiryMonth, expiryYear)
        ? refinement({ fieldCode: 'invalid', message: 'This card has expired.' })
        : refinement({ fieldCode: 'invalid' });
      context.addIssue({ code: 'custom', path: ['expiryYear'], ...params });
    }
    const cvcLength = cardValidator.number(number).card?.code.size ?? DEFAULT_CVC_LENGTH;
    if (cvc.length !== cvcLength) {
      const fieldCode = cvc.length < cvcLength ? 'too_short' : 'too_long';
      context.addIssue({ code: 'custom', path: ['cvc'], ...refinement({ fieldCode }) });
    }
  });

/** Cards are good to the end of their month. */
function hasExpired(month: number, year: number): boolean {
  return Date.UTC(year, month) <= Date.now();
}

const upi = z.strictObject({
  vpa: z.string().regex(VPA).nullish().meta({
    description:
      'Asks the customer in their app. Without it, the customer pays by the link in `nextAction`, or by scanning it as a QR code.',
  }),
});

const crypto = z
  .strictObject({ asset: z.enum(CRYPTO_ASSET_CODES), network: z.enum(CRYPTO_NETWORKS) })
  .refine(({ asset, network }) => isOnNetwork(asset, network), {
    path: ['network'],
    ...refinement({ fieldCode: 'invalid' }),
  })
  .meta({ override: { ...networksByAsset() } });

/** The networks of each asset, as nested conditions of the JSON schema. */
function networksByAsset(): object {
  return CRYPTO_ASSET_CODES.reduceRight<object>(
    (others, asset) => ({
      if: { properties: { asset: { const: asset } } },
      then: { properties: { network: { enum: CRYPTO_NETWORKS.filter((network) => isOnNetwork(asset, network)) } } },
      else: others,
    }),
    {},
  );
}

/** A payment method in a request. The only schema that sees card data. */
export const paymentMethod = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('card'), card }),
  z.strictObject({ type: z.literal('upi'), upi }),
  z.strictObject({ type: z.literal('crypto'), crypto }),
]);

export type PaymentMethodInput = z.output<typeof paymentMethod>;

/** A validated payment method in the form for providers. */
export function detailsOf(method: PaymentMethodInput): PaymentMethodDetails {
  if (method.type === 'upi') return { type: 'upi', vpa: method.upi.vpa ?? null };
  if (method.type === 'crypto') return { type: 'crypto', ...method.crypto };
  return { type: 'card', ...method.card, holderName: method.card.holderName ?? null };
}

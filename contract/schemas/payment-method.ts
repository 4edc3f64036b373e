import { z } from 'zod';
import { canBeCard, cardBrandOf } from '../../domain/card-brand.ts';
import { CRYPTO_ASSET_CODES, CRYPTO_NETWORKS, isOnNetwork } from '../../domain/crypto-assets.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { PaymentMethodDetails } from '../../providers/payment-provider.ts';
import { expecting } from '../field-messages.ts';
import { refinement, requiringMember, text } from './common.ts';
import { described } from './descriptions.ts';

const SEPARATORS = /[ -]/g;
const VPA = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}@[A-Za-z][A-Za-z0-9.-]{1,63}$/;
const MAXIMUM_YEARS_AHEAD = 19;

const METHOD_MEMBERS = {
  type: 'The payment method; the member of the same name has its data.',
  card: 'A card. Its number and security code are encrypted at once, and returned by no response.',
  providerToken:
    'A card that a provider took on a page of its own: instead of `card`, a token of the provider, which stands for it. The ' +
    'payment can only go to that provider. The token is encrypted at once, and returned by no response.',
  upi: 'A payment by UPI, in INR: by the address of the customer, or by link or QR code.',
  crypto: 'A deposit of a cryptocurrency.',
};
const CARD_MEMBERS = {
  number: 'The card number: 12 to 19 digits with a valid check digit; spaces and dashes between them are ignored.',
  expiryMonth: 'The month in which the card expires, from 1 to 12.',
  expiryYear:
    'The year in which the card expires, with four digits. A card is refused once its month has ended everywhere on earth.',
  cvc:
    'The security code: 3 digits, or 4 for American Express; either for a card of an unknown brand. It is erased after the ' +
    'authorization.',
  holderName: 'The name on the card, up to 255 characters; null or left out if it is not known.',
};
const TOKEN_MEMBERS = {
  provider:
    'The provider that issued the token: the id of an account at a provider (`/provider-accounts`), or a simulated provider ' +
    'of the sandbox, such as `alpha`.',
  token:
    'The token. Of Stripe: a payment method (`pm_…`) or a confirmation token (`ctoken_…`). Of Adyen: `state.data.paymentMethod` ' +
    'of its page as JSON, or an object of `storedPaymentMethodId` and `shopperReference` as JSON. Of the simulator: a test ' +
    'token (`tok_…`).',
};
const CRYPTO_MEMBERS = {
  asset: 'What is deposited: `BTC`, `ETH`, `USDC` or `USDT`.',
  network: 'The network of the deposit. It must be one that the asset can be deposited on.',
};

const CARD_NUMBER = expecting('a card number: 12 to 19 digits as text, with or without spaces');
const CVC = expecting('a CVC: 3 or 4 digits as text, in quotes');

const MONTH = expecting('a month as a number from 1 to 12');
const YEAR = expecting('a year of four digits as a number, from 2000 to 2100');

export const expiryMonth = z.number(MONTH).int(MONTH).min(1, MONTH).max(12, MONTH);
export const expiryYear = z.number(YEAR).int(YEAR).min(2_000, YEAR).max(2_100, YEAR);

const cardNumber = z
  .string(CARD_NUMBER)
  .regex(/^\d[\d -]{10,30}\d$/, { abort: true, ...CARD_NUMBER })
  .transform((value) => value.replace(SEPARATORS, ''))
  .refine(canBeCard, {
    ...refinement({ fieldCode: 'invalid' }),
    error: 'Expected a card number of 12 to 19 digits with a valid check digit; got another one. Check the digits.',
  });

/** The security code of a card. */
export const securityCode = z
  .string(CVC)
  .regex(/^\d+$/, { abort: true, ...CVC })
  .min(3, CVC)
  .max(4, CVC);

const card = z
  .strictObject(
    described(CARD_MEMBERS, {
      number: cardNumber,
      expiryMonth,
      expiryYear,
      cvc: securityCode,
      holderName: text(255).nullish(),
    }),
  )
  .superRefine(({ number, expiryMonth: month, expiryYear: year, cvc }, context) => {
    const problem = month >= 1 && month <= 12 ? expiryProblem(month, year) : null;
    if (problem !== null) context.addIssue({ code: 'custom', path: ['expiryYear'], ...problem });
    const cvcLength = cardBrandOf(number)?.codeLength ?? cvc.length;
    if (cvc.length !== cvcLength) {
      const fieldCode = cvc.length < cvcLength ? 'too_short' : 'too_long';
      const message = `Expected a CVC of ${cvcLength} digits for a card of this brand; got ${cvc.length}.`;
      context.addIssue({ code: 'custom', path: ['cvc'], ...refinement({ fieldCode, message }) });
    }
  });

/** What is wrong with an expiry that no valid card has; null of one that a card may have. It is not repeated. */
export function expiryProblem(month: number, year: number) {
  if (!hasExpired(month, year) && !isTooFarAhead(year)) return null;
  const message = hasExpired(month, year)
    ? `This card has expired. Expected expiryMonth and expiryYear from ${thisMonth()} on; got earlier ones. Check them, or ask for another card.`
    : `Expected expiryMonth and expiryYear at most ${MAXIMUM_YEARS_AHEAD} years ahead; got later ones. Check them.`;
  return refinement({ fieldCode: 'invalid', message });
}

/** How far the last time zone on earth is behind UTC. */
const LAST_ZONE_BEHIND_MS = 12 * HOUR_MS;

/** A card is valid until its month has ended everywhere, because nobody knows the time zone in which its bank counts. */
function hasExpired(month: number, year: number): boolean {
  return Date.UTC(year, month) + LAST_ZONE_BEHIND_MS <= Date.now();
}

function isTooFarAhead(year: number): boolean {
  return year > new Date(Date.now()).getUTCFullYear() + MAXIMUM_YEARS_AHEAD;
}

function thisMonth(): string {
  const now = new Date(Date.now() - LAST_ZONE_BEHIND_MS);
  return `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${now.getUTCFullYear()}`;
}

/** Adyen's encrypted fields are some thousand characters. */
const MAXIMUM_TOKEN_LENGTH = 10_000;

const providerToken = z.strictObject(
  described(TOKEN_MEMBERS, { provider: text(64).min(1), token: text(MAXIMUM_TOKEN_LENGTH).min(1) }),
);

/** A card by its number, or by a provider's token that stands for it. */
const cardMethod = z
  .strictObject(
    described(METHOD_MEMBERS, {
      type: z.literal('card'),
      card: card.optional(),
      providerToken: providerToken.optional(),
    }),
  )
  .superRefine((method, context) => {
    if ((method.card === undefined) !== (method.providerToken === undefined)) return;
    const [path, params] =
      method.card === undefined ? (['card', NO_CARD] as const) : (['providerToken', TWO_CARDS] as const);
    context.addIssue({ code: 'custom', path: [path], ...params });
  })
  .meta({
    id: 'CardPaymentMethod',
    description: 'A card by its number, or by a token of a provider that stands for it.',
    override: {
      if: requiringMember('card'),
      then: { not: requiringMember('providerToken') },
      else: requiringMember('providerToken'),
    },
  });

const NO_CARD = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected an object, because type is card; got nothing. Add card, or providerToken instead.',
});
const TWO_CARDS = refinement({ fieldCode: 'invalid', message: 'Give card or providerToken, not both.' });

const ADDRESS = expecting('a virtual payment address such as name@bank');
const upi = z.strictObject({
  vpa: z
    .string(ADDRESS)
    .regex(VPA, ADDRESS)
    .nullish()
    .describe(
      'The virtual payment address of the customer, `name@bank`, whose app then asks for approval. Null or left out: the ' +
        'customer pays by the link in `nextAction`, or by scanning it as a QR code.',
    ),
});

const crypto = z
  .strictObject(described(CRYPTO_MEMBERS, { asset: z.enum(CRYPTO_ASSET_CODES), network: z.enum(CRYPTO_NETWORKS) }))
  .refine(({ asset, network }) => isOnNetwork(asset, network), {
    path: ['network'],
    ...refinement({ fieldCode: 'invalid', message: 'Expected a network that the asset is on; got another one.' }),
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

const METHOD_AS_TEXT =
  'Expected an object with the data of a payment method, such as {"type": "upi", "upi": {}}; got a text. To confirm with a stored ' +
  'payment method (pm_…), send its id as paymentMethodId instead.';

const upiMethod = z
  .strictObject(described(METHOD_MEMBERS, { type: z.literal('upi'), upi }))
  .meta({ id: 'UpiPaymentMethod', description: METHOD_MEMBERS.upi });

const cryptoMethod = z
  .strictObject(described(METHOD_MEMBERS, { type: z.literal('crypto'), crypto }))
  .meta({ id: 'CryptoPaymentMethod', description: METHOD_MEMBERS.crypto });

/** A payment method in a request. The only schema that sees card data. */
export const paymentMethod = z
  .discriminatedUnion('type', [cardMethod, upiMethod, cryptoMethod], {
    error: (issue) => (typeof issue.input === 'string' ? METHOD_AS_TEXT : undefined),
  })
  .meta({ id: 'PaymentMethod', description: 'How the customer pays. Card data is encrypted at once.' });

export type PaymentMethodInput = z.output<typeof paymentMethod>;

/**
 * A validated payment method in the form for providers.
 * @throws RangeError where it is neither a card nor a token, which validation refuses
 */
export function detailsOf(method: PaymentMethodInput): PaymentMethodDetails {
  if (method.type === 'upi') return { type: 'upi', vpa: method.upi.vpa ?? null };
  if (method.type === 'crypto') return { type: 'crypto', ...method.crypto };
  if (method.providerToken !== undefined) return { type: 'card_token', ...method.providerToken };
  if (method.card === undefined) throw new RangeError('the payment method has no card');
  return { type: 'card', ...method.card, holderName: method.card.holderName ?? null };
}

import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { MAXIMUM_DECLINE_RETRIES } from '../../domain/decline-retries.ts';
import { EMAIL_ADDRESS } from '../../domain/email-address.ts';
import { isLogo, LONGEST_LOGO_SIDE, MAXIMUM_LOGO_BYTES } from '../../domain/logo.ts';
import { pageQuery, refinement, responseTime, returnAddress, shownName, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const name = shownName(255).min(1);
const retryBudget = z.int().min(1).max(20);
const refundWindowDays = z.int().min(0).max(3_650);
const requireIdempotencyKeys = z.boolean();
const refundConfirmationAmount = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

const PROFILE = {
  name: "What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`.",
  color: 'The colour of the button that pays, such as `#1d4f91`; null for that of the page.',
  logo:
    `The logo, as a PNG image in Base64: at most ${MAXIMUM_LOGO_BYTES / 1_024} KiB, and ${LONGEST_LOGO_SIDE} pixels wide and high. ` +
    'Null removes it.',
  logoPath: "The path of the logo at the API's origin, without authentication; null without a logo.",
  supportEmail: 'The e-mail address to which customers can write; null without one.',
  supportPhone: 'The telephone number that customers can call, such as `+49 30 901820`; null without one.',
  supportUrl: 'The web page that helps customers, with http or https; null without one.',
  termsUrl: 'The web page with the terms of the merchant, with http or https; null without one.',
  returnUrl: 'Where customers can go on after they have paid, with http or https; null without one.',
};

const NOT_A_PHONE = refinement({
  fieldCode: 'invalid',
  message: 'Expected a telephone number with its country, such as +49 30 901820; got other characters.',
});
const NOT_A_COLOR = refinement({
  fieldCode: 'invalid',
  message: 'Expected a colour such as #1d4f91; got another text.',
});
const NOT_A_LOGO = refinement({
  fieldCode: 'invalid',
  message:
    `Expected a PNG image in Base64 of at most ${MAXIMUM_LOGO_BYTES / 1_024} KiB, and ${LONGEST_LOGO_SIDE} pixels wide and high; ` +
    'got something else. Make the image smaller, or save it as PNG.',
});
const BASE64_CHARACTERS = Math.ceil(MAXIMUM_LOGO_BYTES / 3) * 4;

const color = z
  .string()
  .refine((value) => /^#[0-9a-f]{6}$/i.test(value), NOT_A_COLOR)
  .meta({ override: { pattern: '^#[0-9a-fA-F]{6}$' } });
const PHONE = '^\\+[0-9][0-9 ()./-]{4,}$';
const phone = text(32)
  .refine((value) => new RegExp(PHONE).test(value), NOT_A_PHONE)
  .meta({ override: { pattern: PHONE } });
const logo = z
  .string()
  .max(BASE64_CHARACTERS, { abort: true })
  .refine((value) => isLogo(Buffer.from(value, 'base64')), NOT_A_LOGO)
  .meta({ override: { contentEncoding: 'base64', contentMediaType: 'image/png' } });

const businessProfile = z
  .strictObject(
    described(PROFILE, {
      name: shownName(100).trim().min(1).nullish(),
      color: color.nullish(),
      logo: logo.nullish(),
      supportEmail: text(254)
        .pipe(z.email({ pattern: EMAIL_ADDRESS }))
        .nullish(),
      supportPhone: phone.nullish(),
      supportUrl: returnAddress.nullish(),
      termsUrl: returnAddress.nullish(),
      returnUrl: returnAddress.nullish(),
    }),
  )
  .describe('What customers see of the account.');

const DECLINE_RETRIES = {
  enabled:
    'Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown ' +
    'outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow.',
  maxRetries: `How many further providers one confirm may ask after declines; 0 to ${MAXIMUM_DECLINE_RETRIES}.`,
  issuerDeclines: 'Whether it also goes on where the issuer gives no reason, and not only after technical declines.',
};
const maxRetries = z.int().min(0).max(MAXIMUM_DECLINE_RETRIES);
const declineRetries = z.strictObject(
  described(DECLINE_RETRIES, {
    enabled: z.boolean().optional(),
    maxRetries: maxRetries.optional(),
    issuerDeclines: z.boolean().optional(),
  }),
);

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the merchant account, which begins with `mer_`; `X-Merchant-ID` takes it.',
  name: 'A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it.',
  status: withValues<AccountStatus>('Whether requests for the account are accepted.', {
    active: 'they are',
    suspended: 'they are refused with `MERCHANT_SUSPENDED`; payments under way continue',
  }),
  suspendedBy:
    'Who suspended the account: `merchant` for a request with an API key, `platform` for the operator of the platform, ' +
    'who alone can activate it again. Null while it is active.',
  retryBudget:
    'How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the ' +
    'last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.',
  refundWindowDays:
    'For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.',
  requireIdempotencyKeys:
    'Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`.',
  businessProfile: 'What customers see of the account.',
  refundConfirmationAmount:
    "From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. " +
    'Requests with an API key need no confirmation.',
  declineRetries:
    'Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.',
};

/** POST /merchants */
export const createMerchantAccountBody = z
  .strictObject(
    described(MEMBERS, {
      name,
      retryBudget: retryBudget.default(5),
      refundWindowDays: refundWindowDays.default(180),
      requireIdempotencyKeys: requireIdempotencyKeys.default(false),
      businessProfile: businessProfile.optional(),
      refundConfirmationAmount: refundConfirmationAmount.default(null),
      declineRetries: declineRetries.optional(),
    }),
  )
  .describe('A merchant account to create.');

export type CreateMerchantAccount = z.output<typeof createMerchantAccountBody>;

/** PATCH /merchants/{id}: omitted fields stay unchanged. */
export const updateMerchantAccountBody = z
  .strictObject(
    described(MEMBERS, {
      name: name.optional(),
      retryBudget: retryBudget.optional(),
      refundWindowDays: refundWindowDays.optional(),
      requireIdempotencyKeys: requireIdempotencyKeys.optional(),
      businessProfile: businessProfile.optional(),
      refundConfirmationAmount: refundConfirmationAmount.optional(),
      declineRetries: declineRetries.optional(),
    }),
  )
  .describe('What to change. Members that are left out stay unchanged.');

export type UpdateMerchantAccount = z.output<typeof updateMerchantAccountBody>;

/** GET /merchants */
export const listMerchantAccountsQuery = z.strictObject(pageQuery);

/** The merchant account in every response. */
export const merchantAccountResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('merchant_account'),
      environment: z.enum(ENVIRONMENTS),
      name: z.string(),
      status: z.enum(ACCOUNT_STATUSES),
      suspendedBy: z.enum(['merchant', 'platform']).nullable(),
      retryBudget: z.int(),
      refundWindowDays: z.int(),
      requireIdempotencyKeys,
      businessProfile: z.object(
        described(PROFILE, {
          name: z.string().nullable(),
          color: z.string().nullable(),
          logoPath: z.string().nullable(),
          supportEmail: z.string().nullable(),
          supportPhone: z.string().nullable(),
          supportUrl: z.string().nullable(),
          termsUrl: z.string().nullable(),
          returnUrl: z.string().nullable(),
        }),
      ),
      refundConfirmationAmount,
      declineRetries: z.object(
        described(DECLINE_RETRIES, { enabled: z.boolean(), maxRetries, issuerDeclines: z.boolean() }),
      ),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An account of the merchant, such as one of its shops.');

export type MerchantAccountResource = z.infer<typeof merchantAccountResource>;

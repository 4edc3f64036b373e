import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, shownName } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const name = shownName(255).min(1);
const retryBudget = z.number().int().min(1).max(20);
const refundWindowDays = z.number().int().min(0).max(3_650);
const requireIdempotencyKeys = z.boolean();

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the merchant account, which begins with `mer_`; `X-Merchant-ID` takes it.',
  name: 'A name for people, such as that of a shop; 1 to 255 characters.',
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
};

/** POST /merchants */
export const createMerchantAccountBody = z
  .strictObject(
    described(MEMBERS, {
      name,
      retryBudget: retryBudget.default(5),
      refundWindowDays: refundWindowDays.default(180),
      requireIdempotencyKeys: requireIdempotencyKeys.default(false),
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
      retryBudget: z.number(),
      refundWindowDays: z.number(),
      requireIdempotencyKeys,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An account of the merchant, such as one of its shops.');

export type MerchantAccountResource = z.infer<typeof merchantAccountResource>;

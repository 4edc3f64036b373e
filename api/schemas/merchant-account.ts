import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, text } from './common.ts';

const name = text(255).min(1);
/** Attempts that a payment of the account may make. */
const retryBudget = z.number().int().min(1).max(20);
const refundWindowDays = z.number().int().min(0).max(3_650);
/** Whether refunds and captures of the account need an idempotency key. */
const requireIdempotencyKeys = z.boolean();

/** POST /merchants */
export const createMerchantAccountBody = z.strictObject({
  name,
  retryBudget: retryBudget.default(5),
  refundWindowDays: refundWindowDays.default(180),
  requireIdempotencyKeys: requireIdempotencyKeys.default(false),
});

export type CreateMerchantAccount = z.output<typeof createMerchantAccountBody>;

/** PATCH /merchants/{id}: omitted fields stay unchanged. */
export const updateMerchantAccountBody = z.strictObject({
  name: name.optional(),
  retryBudget: retryBudget.optional(),
  refundWindowDays: refundWindowDays.optional(),
  requireIdempotencyKeys: requireIdempotencyKeys.optional(),
});

export type UpdateMerchantAccount = z.output<typeof updateMerchantAccountBody>;

/** GET /merchants */
export const listMerchantAccountsQuery = z.strictObject(pageQuery);

const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The merchant account in every response. */
export const merchantAccountResource = z.object({
  id: z.string(),
  object: z.literal('merchant_account'),
  environment: z.enum(ENVIRONMENTS),
  name: z.string(),
  status: z.enum(ACCOUNT_STATUSES),
  /** Who suspended the account; null while it is active. */
  suspendedBy: z.enum(['merchant', 'platform']).nullable(),
  retryBudget: z.number(),
  refundWindowDays: z.number(),
  requireIdempotencyKeys,
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type MerchantAccountResource = z.infer<typeof merchantAccountResource>;

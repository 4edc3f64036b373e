import cardValidator from 'card-validator';
import { z } from 'zod';
import { isSupportedCurrency } from '../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../domain/money.ts';

const identifier = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces');

const cardSchema = z.object({
  type: z.literal('card'),
  number: z.string().refine((number) => /^\d{12,19}$/.test(number) && cardValidator.number(number).isValid, {
    error: 'is not a card number',
  }),
  expiryMonth: z.int().min(1).max(12),
  expiryYear: z.int().min(2000).max(2100),
  cvc: z
    .string()
    .regex(/^\d{3,4}$/)
    .nullable(),
});

const upiSchema = z.object({ type: z.literal('upi'), vpa: z.string().regex(/^[^\s@]{1,128}@[^\s@]{1,128}$/) });

/** Body of `POST /v1/payments`; the amount is in minor units. */
export const paymentRequestSchema = z.object({
  reference: identifier,
  paymentIntentId: identifier,
  amount: z.int().min(AMOUNT_MINOR_LIMITS.minimum).max(AMOUNT_MINOR_LIMITS.maximum),
  currency: z.string().refine(isSupportedCurrency, { error: 'is not a supported currency' }),
  capture: z.boolean(),
  returnUrl: z.string().max(2048).nullable(),
  method: z.discriminatedUnion('type', [cardSchema, upiSchema]),
});
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

export const idempotencyKeySchema = identifier;

/** Body of `POST /v1/inquiries` and of `POST /v1/closures`. */
export const lookupRequestSchema = z.object({ idempotencyKey: idempotencyKeySchema });

/** Query of `GET /ledger`. */
export const ledgerQuerySchema = z.strictObject({
  reference: identifier.optional(),
  paymentIntentId: identifier.optional(),
  idempotencyKey: identifier.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>;

export const SETTLEMENTS = ['approved', 'declined', 'failed'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** Body of `POST /simulate/settle`. */
export const settleRequestSchema = z
  .strictObject({
    reference: identifier.optional(),
    paymentIntentId: identifier.optional(),
    outcome: z.enum(SETTLEMENTS),
  })
  .refine(({ reference, paymentIntentId }) => (reference === undefined) !== (paymentIntentId === undefined), {
    error: 'give either reference or paymentIntentId',
  });
export type SettleRequest = z.infer<typeof settleRequestSchema>;

/** What the customer chose on the 3-D Secure page. */
export const challengeAnswerSchema = z.object({ decision: z.enum(['approve', 'refuse']) });

const rate = z.number().min(0).max(1).default(0);
const delayMs = z.number().min(0).max(600_000);

/** Body of `PUT /simulate/faults`; what is left out goes back to zero. */
export const faultsSchema = z.strictObject({
  latencyMs: z
    .union([
      delayMs,
      z
        .strictObject({ p50: delayMs, p99: delayMs })
        .refine(({ p50, p99 }) => p50 <= p99, { error: 'p50 must not exceed p99' }),
    ])
    .default(0),
  errorRate: rate,
  dropReplyRate: rate,
  webhookDelayMs: delayMs.default(0),
  webhookDropRate: rate,
});
export type FaultSettings = z.infer<typeof faultsSchema>;

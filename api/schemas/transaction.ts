import { z } from 'zod';
import { ENVIRONMENTS, TRANSACTION_TYPES } from '../../domain/payment.ts';
import { pageQuery, text, timeText } from './common.ts';

/** Money that moved or was held, as every response shows it. */
export const transactionResource = z.object({
  id: z.string(),
  object: z.literal('transaction'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  paymentIntentId: z.string(),
  attemptId: z.string(),
  /** The refund that it belongs to; null where money did not go back. */
  refundId: z.string().nullable(),
  type: z.enum(TRANSACTION_TYPES),
  amount: z.number(),
  currency: z.string(),
  provider: z.string(),
  providerReference: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
  /** Of captures only: given back for good. */
  amountRefunded: z.number().optional(),
  /** Of captures only: what refunds may still take. */
  amountRefundable: z.number().optional(),
});

export type TransactionResource = z.infer<typeof transactionResource>;

/** GET /transactions */
export const listTransactionsQuery = z.strictObject({
  ...pageQuery,
  paymentIntentId: text(64).min(1).optional(),
  type: z.enum(TRANSACTION_TYPES).optional(),
  createdAfter: timeText.optional(),
  createdBefore: timeText.optional(),
});

export type ListTransactions = z.output<typeof listTransactionsQuery>;

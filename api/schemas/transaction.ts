import { z } from 'zod';
import { ENVIRONMENTS, TRANSACTION_TYPES } from '../../domain/payment.ts';
import { pageQuery, text, timeText } from './common.ts';

/** The transaction in every response: money that moved or was held. */
export const transactionResource = z.object({
  id: z.string(),
  object: z.literal('transaction'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  paymentIntentId: z.string(),
  attemptId: z.string(),
  /** The refund of the transaction; null for other types. */
  refundId: z.string().nullable(),
  type: z.enum(TRANSACTION_TYPES),
  amount: z.number(),
  currency: z.string(),
  provider: z.string(),
  providerReference: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
  /** For captures only: the amount of succeeded refunds. */
  amountRefunded: z.number().optional(),
  /** For captures only: the amount that refunds may still use. */
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

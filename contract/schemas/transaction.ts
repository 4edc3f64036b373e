import { z } from 'zod';
import { ENVIRONMENTS, TRANSACTION_TYPES, type TransactionType } from '../../domain/payment.ts';
import { creationQuery, pageQuery, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the transaction, which begins with `txn_`.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) that it belongs to.',
  attemptId: 'The id of the attempt (`att_…`) that it belongs to.',
  refundId: 'The id of the refund (`re_…`) that it belongs to; null unless `type` is `refund`, or `void` of a refund.',
  type: withValues<TransactionType>('What happened to the money.', {
    authorization: 'it is held',
    capture: 'it was taken',
    void: 'it was held, and is released; or, with a `refundId`, a refund failed after it had succeeded, and is canceled',
    refund: 'it was given back',
    capture_reversal: 'it had been taken, and did not arrive after all',
    chargeback: 'the provider has taken it for a dispute',
    chargeback_reversal: 'the provider has given it back after a dispute',
  }),
  amount: "The amount, in the currency's minor unit; never negative.",
  currency: 'The currency of the amount, as its ISO 4217 code: `EUR`.',
  provider: 'The provider that holds, took or returned the money.',
  providerReference: "The provider's own id of the payment, the refund or the dispute, to look it up there.",
  amountRefunded: "Of a capture: how much of it was refunded, in the currency's minor unit. Absent for other types.",
  amountRefundable:
    "Of a capture: how much of it can still be refunded, in the currency's minor unit; pending refunds and what is disputed are subtracted. " +
    'Absent for other types.',
  fee: 'What the provider keeps of it, in the minor unit of `settlementCurrency`; null until the provider has settled it.',
  net: 'What arrives of it, in the minor unit of `settlementCurrency`: negative where money goes; null until the provider has settled it.',
  settlementCurrency: 'The currency of `fee` and `net`, as its ISO 4217 code; null until the provider has settled it.',
  settlementId: 'The id of the settlement (`stl_…`) that it is in; null until it is known.',
  settledAt: 'When the engine first saw that the settlement was paid; null before.',
};

/** The transaction in every response: money that moved or was held. */
export const transactionResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('transaction'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      paymentIntentId: z.string(),
      attemptId: z.string(),
      refundId: z.string().nullable(),
      type: z.enum(TRANSACTION_TYPES),
      amount: z.int(),
      currency: z.string(),
      provider: z.string(),
      providerReference: z.string(),
      createdAt: z.iso.datetime({ precision: 3 }),
      amountRefunded: z.int().optional(),
      amountRefundable: z.int().optional(),
      fee: z.int().nullable(),
      net: z.int().nullable(),
      settlementCurrency: z.string().nullable(),
      settlementId: z.string().nullable(),
      settledAt: z.iso.datetime({ precision: 3 }).nullable(),
    }),
  )
  .describe('Money that moved or was held.');

export type TransactionResource = z.infer<typeof transactionResource>;

/** GET /transactions */
export const listTransactionsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  paymentIntentId: text(64).min(1).optional().describe('Selects the transactions of the payment intent with this id.'),
  type: z.enum(TRANSACTION_TYPES).optional().describe('Selects the transactions of this type.'),
});

export type ListTransactions = z.output<typeof listTransactionsQuery>;

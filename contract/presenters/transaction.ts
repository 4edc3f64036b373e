import type { TransactionResource } from '../schemas/transaction.ts';
import type { CaptureRefunds, TransactionRow, TransactionSettlement } from '../../prisma/queries/transaction.ts';
import { presentTime } from './time.ts';

/** A transaction as clients see it; `refunds` is for captures only, and `settled` null until its provider has settled it. */
export function presentTransaction(
  row: TransactionRow,
  refunds: CaptureRefunds | null,
  settled: TransactionSettlement | null,
): TransactionResource {
  return {
    id: row.id,
    object: 'transaction',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    paymentIntentId: row.payment_intent_id,
    attemptId: row.attempt_id,
    refundId: row.refund_id,
    type: row.type,
    amount: row.amount_minor,
    currency: row.currency,
    provider: row.provider,
    providerReference: row.provider_payment_id,
    createdAt: presentTime(row.created_at),
    ...(row.type === 'capture' && refunds !== null
      ? { amountRefunded: refunds.refundedMinor, amountRefundable: refunds.refundableMinor }
      : {}),
    fee: settled?.feeMinor ?? null,
    net: settled?.netMinor ?? null,
    settlementCurrency: settled?.currency ?? null,
    settlementId: settled?.settlementId ?? null,
    settledAt: settled === null || settled.settledAt === null ? null : presentTime(settled.settledAt),
  };
}

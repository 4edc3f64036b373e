import type { TransactionResource } from '../schemas/transaction.ts';
import type { CaptureRefunds, TransactionRow } from '../../prisma/queries/transaction.ts';
import { presentTime } from './time.ts';

/** A transaction as clients see it; `refunds` is for captures only. */
export function presentTransaction(row: TransactionRow, refunds: CaptureRefunds | null): TransactionResource {
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
  };
}

import type { TransactionResource } from '../api/schemas/transaction.ts';
import type { Environment, TransactionType } from '../domain/payment.ts';
import { presentTime } from './time.ts';

/** A row of transaction as PostgreSQL turns it into JSON. */
export interface TransactionRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly attempt_id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly type: TransactionType;
  readonly amount_minor: number;
  readonly currency: string;
  readonly provider: string;
  readonly provider_payment_id: string;
  readonly refund_id: string | null;
  readonly created_at: string;
}

/** The refunded and the refundable amount of a capture, in minor units. */
export interface CaptureRefunds {
  readonly refundedMinor: number;
  readonly refundableMinor: number;
}

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

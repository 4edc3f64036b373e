import type { RefundResource } from '../api/schemas/refund.ts';
import type { Environment, PaymentError } from '../domain/payment.ts';
import type { RefundReason, RefundStatus } from '../domain/refund.ts';
import { presentTime } from './time.ts';

/** A row of refund as PostgreSQL turns it into JSON: what is read, and the snapshot that events store. */
export interface RefundRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly transaction_id: string;
  readonly attempt_id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: RefundReason | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly provider: string;
  readonly provider_payment_id: string;
  readonly failure: PaymentError | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A refund as clients see it, from its row or from an event's snapshot. */
export function presentRefund(row: RefundRow): RefundResource {
  return {
    id: row.id,
    object: 'refund',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    paymentIntentId: row.payment_intent_id,
    transactionId: row.transaction_id,
    amount: row.amount_minor,
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    metadata: row.metadata,
    provider: row.provider,
    failure: presentFailure(row.failure),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function presentFailure(failure: PaymentError | null): RefundResource['failure'] {
  if (failure === null) return null;
  const { code, message, details } = failure;
  return { code, message, ...(details === undefined || details === null ? {} : { details }) };
}

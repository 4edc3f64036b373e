import type { RefundResource } from '../schemas/refund.ts';
import type { PaymentError } from '../../domain/payment.ts';
import type { RefundRow } from '../../prisma/queries/refund.ts';
import { presentTime } from './time.ts';

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
    reference: row.reference,
    metadata: row.metadata,
    provider: row.provider,
    origin: row.origin,
    failure: presentFailure(row.failure),
    advisory: row.advisory,
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function presentFailure(failure: PaymentError | null): RefundResource['failure'] {
  if (failure === null) return null;
  const { code, message, details } = failure;
  return { code, message, ...(details === undefined || details === null ? {} : { details }) };
}

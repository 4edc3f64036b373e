import type { StoredOperation } from '../../domain/operation.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import type { Database } from '../client.ts';

/** An operation, and the status of its payment. */
export interface OperationOfPayment extends StoredOperation {
  readonly status: PaymentStatus;
  /** Why the last try got no answer from the provider; null where every try got one. */
  readonly lastCode: OutageCode | null;
}

/** Reads an operation of a payment. Null when no step has recorded it. */
export async function readOperation(
  database: Database,
  paymentIntentId: string,
  operationId: string,
): Promise<OperationOfPayment | null> {
  const [row] = await database.direct.query<OperationOfPayment[]>`
    SELECT o.id, o.kind, o.request, o.result, o.last_code AS "lastCode", i.status
    FROM payment_operation o JOIN payment_intent i ON i.id = o.payment_intent_id
    WHERE o.id = ${operationId} AND i.id = ${paymentIntentId}`;
  return row ?? null;
}

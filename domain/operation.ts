import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
import type { OperationResult, PaymentError } from './payment.ts';
import type { OutageCode } from './provider-outcome.ts';
import { conflictMessage, isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from './payment-state.ts';

/** The operations that are stored until they are answered. A repeated request has the same operation id. */
export const OPERATION_KINDS = ['confirm', 'capture', 'cancel'] as const satisfies readonly PaymentOperation[];
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** How a step changes an operation: it begins it, answers it, or both. */
export interface OperationChange {
  readonly id: string;
  readonly kind: OperationKind;
  /** The parameters that another run needs to continue the operation. */
  readonly request?: JsonObject;
  /** Null while the operation is under way. */
  readonly result: OperationResult | null;
  /** Why the last try got no answer from the provider. */
  readonly lastCode?: OutageCode;
}

/** An operation as recorded. */
export interface StoredOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly request: JsonObject | null;
  readonly result: OperationResult | null;
}

/**
 * The result of an operation; null while it is under way. A result that follows from the payment's final state is not stored:
 * a cancel has succeeded if the payment is canceled.
 */
export function resultOf(
  { kind, result }: Pick<StoredOperation, 'kind' | 'result'>,
  status: PaymentStatus,
): OperationResult | null {
  if (result !== null) return result;
  if (!isTerminal(status)) return null;
  const isDone = status === SUCCEEDS_AS[kind];
  return { status, error: isDone ? null : conflict(kind, status) };
}

const SUCCEEDS_AS: Readonly<Record<OperationKind, PaymentStatus>> = {
  confirm: 'succeeded',
  capture: 'succeeded',
  cancel: 'canceled',
};

/** The error of an operation that began, and that another end of the payment has superseded. */
export function conflict(operation: PaymentOperation, status: PaymentStatus): PaymentError {
  const code = refusalOf(operation, status) ?? 'STATE_CONFLICT';
  return { code, message: conflictMessage(operation, status) };
}

/** The failure of an intent that was not paid in time. */
export function expiredError(): PaymentError {
  return { code: 'PAYMENT_EXPIRED', message: ERROR_CATALOGUE.PAYMENT_EXPIRED.message };
}

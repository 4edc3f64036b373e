import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
import type { OperationResult, PaymentError } from './payment.ts';
import type { OutageCode } from './provider-outcome.ts';
import { isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from './payment-state.ts';

/** What a merchant asks of a payment that is kept until it is answered, under the id that its repeats carry too. */
export type OperationKind = Exclude<PaymentOperation, 'amend'>;

/** A step takes an operation up, answers it, or both. */
export interface OperationChange {
  readonly id: string;
  readonly kind: OperationKind;
  /** What another run has to know to go on with it. */
  readonly request?: JsonObject;
  /** Null while it is being worked on. */
  readonly result: OperationResult | null;
  /** Why the provider gave its last try no answer. */
  readonly lastCode?: OutageCode;
}

/** An operation as its row says. */
export interface StoredOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly request: JsonObject | null;
  readonly result: OperationResult | null;
}

/**
 * What an operation came to; null while it is being worked on. What the end of the payment tells by itself is not stored:
 * a cancel that was taken up has succeeded if the payment is canceled.
 */
export function resultOf({ kind, result }: StoredOperation, status: PaymentStatus): OperationResult | null {
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

/** The failure of an operation that was taken up and overtaken by another end. */
export function conflict(operation: PaymentOperation, status: PaymentStatus): PaymentError {
  const code = refusalOf(operation, status) ?? 'STATE_CONFLICT';
  return { code, message: `The payment intent is ${status}; it does not take ${operation}.` };
}

/** The failure of an intent that was not paid in time. */
export function expiredError(): PaymentError {
  return { code: 'PAYMENT_EXPIRED', message: ERROR_CATALOGUE.PAYMENT_EXPIRED.message };
}

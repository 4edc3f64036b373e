import { ApplicationFailure } from '@temporalio/workflow';
import { refusalOf, type PaymentOperation, type PaymentStatus } from '../../domain/payment-state.ts';

/** Only an `ApplicationFailure` refuses an update; anything else would retry the workflow task for ever. */
export function refusal(code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED', message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true });
}

/** Refuses an operation that the intent's state does not take. */
export function refuseUnlessTaken(operation: PaymentOperation, status: PaymentStatus): void {
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusal(code, `A payment intent in state ${status} does not take ${operation}.`);
}

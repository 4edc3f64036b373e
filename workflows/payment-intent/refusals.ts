import { ApplicationFailure } from '@temporalio/workflow';
import { refusalOf, type PaymentOperation, type PaymentStatus } from '../../domain/payment-state.ts';
import type { RefusalDetails } from '../messages.ts';

type RefusalCode = 'STATE_CONFLICT' | 'PAYMENT_EXPIRED';

/** Only an `ApplicationFailure` refuses an update; anything else would retry the workflow task for ever. */
export function refusal(code: RefusalCode, message: string): ApplicationFailure {
  return refusalWith(code, message, { mayBeOutdated: false });
}

/**
 * A refusal because of what the payment is at. An activity records a step before the workflow hears of it, so that the rows
 * may already say more.
 */
export function refusalForNow(code: RefusalCode, message: string): ApplicationFailure {
  return refusalWith(code, message, { mayBeOutdated: true });
}

/** Refuses an operation that the intent's state does not take. */
export function refuseUnlessTaken(operation: PaymentOperation, status: PaymentStatus): void {
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusalForNow(code, `A payment intent in state ${status} does not take ${operation}.`);
}

function refusalWith(type: RefusalCode, message: string, details: RefusalDetails): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [details], nonRetryable: true });
}

import { ApplicationFailure } from '@temporalio/workflow';
import { refusalOf, type PaymentOperation, type PaymentStatus } from '../../domain/payment-state.ts';
import type { RefusalDetails } from '../../protocol/messages.ts';
import type { PaymentRequests } from './requests.ts';

type RefusalCode = 'STATE_CONFLICT' | 'PAYMENT_EXPIRED' | 'SERVICE_UNAVAILABLE';

/** Only an `ApplicationFailure` rejects an update; any other error would fail the workflow task, which is retried for ever. */
export function refusal(code: RefusalCode, message: string): ApplicationFailure {
  return refusalWith(code, message, { mayBeOutdated: false });
}

/**
 * A refusal because of the payment's present state. An activity records a step before the workflow receives its result, so
 * the row may already be in a later state.
 */
export function refusalForNow(code: RefusalCode, message: string): ApplicationFailure {
  return refusalWith(code, message, { mayBeOutdated: true });
}

/** The same refusal for an update that was accepted: its result is stored, so sending it again gets the same result. */
export function finalRefusal(error: unknown): unknown {
  if (!(error instanceof ApplicationFailure)) return error;
  return refusalWith(error.type as RefusalCode, error.message, { mayBeOutdated: false });
}

/** After this many operations a run accepts only a cancel, a capture or support staff, because Temporal limits the length of a history. */
const MAXIMUM_OPERATIONS = 200;
/** After this many it accepts only a cancel: a provider may refuse one capture after the other. */
export const MAXIMUM_WITH_CAPTURES = 2 * MAXIMUM_OPERATIONS;

export function refuseWhenTooMany({ accepted }: PaymentRequests, maximum = MAXIMUM_OPERATIONS): void {
  if (accepted < maximum) return;
  throw refusal('STATE_CONFLICT', `A payment intent takes ${maximum} operations; make a new one.`);
}

/** Refuses an operation that the intent's state does not allow. */
export function refuseUnlessAllowed(operation: PaymentOperation, status: PaymentStatus): void {
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusalForNow(code, `A payment intent in state ${status} does not take ${operation}.`);
}

function refusalWith(type: RefusalCode, message: string, details: RefusalDetails): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [details], nonRetryable: true });
}

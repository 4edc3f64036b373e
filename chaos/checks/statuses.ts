import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';

/** Statuses in which an intent stays until its customer or its merchant does something. */
const WAITING_FOR_PEOPLE: readonly string[] = ['requires_payment_method', 'requires_action', 'requires_capture'];
const TERMINAL: readonly string[] = PAYMENT_STATUSES.filter(isTerminal);

/** Whether an intent with this status has ended. */
export function hasEnded(status: string): boolean {
  return TERMINAL.includes(status);
}

export function waitsForPeople(status: string): boolean {
  return WAITING_FOR_PEOPLE.includes(status);
}

/** Every state a payment intent can be in. */
export const PAYMENT_STATUSES = [
  'requires_payment_method',
  'processing',
  'requires_action',
  'requires_capture',
  'succeeded',
  'failed',
  'canceled',
  'expired',
] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The state every intent begins in. */
export const INITIAL_STATUS: PaymentStatus = 'requires_payment_method';

/** The state machine: the states that may follow each state. A state with no successor is terminal. */
export const TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  requires_payment_method: ['processing', 'canceled', 'expired'],
  processing: [
    'succeeded',
    'requires_capture',
    'requires_action',
    'requires_payment_method',
    'failed',
    'canceled',
    'expired',
  ],
  requires_action: [
    'processing',
    'succeeded',
    'requires_capture',
    'requires_payment_method',
    'failed',
    'canceled',
    'expired',
  ],
  requires_capture: ['succeeded', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
  expired: [],
};

/**
 * What a provider's late report turns an end into: a capture that has failed after all, and one that was made again. No operation
 * leads there, so both states still end the payment for everything else.
 */
const LATE_TRANSITIONS: Readonly<Partial<Record<PaymentStatus, PaymentStatus>>> = {
  succeeded: 'failed',
  failed: 'succeeded',
};

/** Whether a late report lets `to` follow the end `from`. */
export function isLateTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return LATE_TRANSITIONS[from] === to;
}

/** Whether nothing can follow this state. */
export function isTerminal(status: PaymentStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/** The states that nothing can follow. */
export const TERMINAL_STATUSES = PAYMENT_STATUSES.filter(isTerminal);

/** Whether a payment in this state has ended. A later version may know states that this one does not. */
export function isTerminalState(state: string | null): boolean {
  return TERMINAL_STATUSES.some((status) => status === state);
}

/** Whether no confirm can follow this state: the payment is authorized, or has ended. */
export function isAuthorizedOrEnded(status: PaymentStatus): boolean {
  return status === 'requires_capture' || isTerminal(status);
}

/** Whether the table lets `to` follow `from`. */
export function canTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** The operations on a payment intent. */
export type PaymentOperation = 'confirm' | 'cancel' | 'update' | 'capture';

/** The states in which each operation is allowed; in any other it is `STATE_CONFLICT` (or `PAYMENT_EXPIRED`). */
export const OPERATION_STATUSES: Readonly<Record<PaymentOperation, readonly PaymentStatus[]>> = {
  confirm: ['requires_payment_method'],
  update: ['requires_payment_method'],
  cancel: ['requires_payment_method', 'processing', 'requires_action', 'requires_capture'],
  capture: ['requires_capture'],
};

const REQUESTS: Readonly<Record<PaymentOperation, string>> = {
  confirm: 'confirm (POST /api/v1/payment-intents/{id}/confirm)',
  update: 'update (PATCH /api/v1/payment-intents/{id})',
  capture: 'capture (POST /api/v1/payment-intents/{id}/capture)',
  cancel: 'cancel (POST /api/v1/payment-intents/{id}/cancel)',
};

/** What to do in a state that takes no operation. */
const NEXT_STEPS: Readonly<Partial<Record<PaymentStatus, string>>> = {
  succeeded: 'It takes no operation any more; return the money with POST /api/v1/refunds.',
};

const CREATE_ANOTHER = 'It takes no operation any more; create another payment intent to pay.';

/** Why an operation is refused in a state, and which operations that state takes. */
export function conflictMessage(operation: PaymentOperation, status: PaymentStatus): string {
  const expected = OPERATION_STATUSES[operation].join(', ');
  const taken = (Object.keys(REQUESTS) as PaymentOperation[]).filter((each) =>
    OPERATION_STATUSES[each].includes(status),
  );
  const next =
    taken.length > 0
      ? `In this state it takes ${taken.map((each) => REQUESTS[each]).join(', ')}.`
      : (NEXT_STEPS[status] ?? CREATE_ANOTHER);
  const hint = operation === 'capture' ? ' Only an intent with "captureMethod": "manual" waits for a capture.' : '';
  return `Expected a payment intent in ${expected} for ${operation}; this one is ${status}. ${next}${hint}`;
}

/** The code with which an operation is refused in a state, or undefined where it is allowed. */
export function refusalOf(
  operation: PaymentOperation,
  status: PaymentStatus,
): 'STATE_CONFLICT' | 'PAYMENT_EXPIRED' | undefined {
  if (OPERATION_STATUSES[operation].includes(status)) return undefined;
  return operation === 'confirm' && status === 'expired' ? 'PAYMENT_EXPIRED' : 'STATE_CONFLICT';
}

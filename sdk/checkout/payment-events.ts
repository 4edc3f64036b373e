import type { EventFrame } from './event-stream.ts';
import { asNextAction } from './parse.ts';
import type { CheckoutError, NextAction, PaymentEvent, PaymentEventName, PaymentStatus } from './types.ts';

/** The status that each event leads to; other events of the socket are not for checkout pages. */
const STATUS_AFTER: Readonly<Record<string, PaymentStatus>> = {
  'payment-processing': 'processing',
  'payment-requires-action': 'requires_action',
  'payment-amount-capturable': 'requires_capture',
  'payment-succeeded': 'succeeded',
  'payment-canceled': 'canceled',
  'payment-expired': 'expired',
};

const EVENT_OF: Readonly<Record<PaymentStatus, PaymentEventName>> = {
  requires_payment_method: 'payment-failed',
  processing: 'payment-processing',
  requires_action: 'payment-requires-action',
  requires_capture: 'payment-amount-capturable',
  succeeded: 'payment-succeeded',
  failed: 'payment-failed',
  canceled: 'payment-canceled',
  expired: 'payment-expired',
};

const ENDED: readonly PaymentStatus[] = ['succeeded', 'failed', 'canceled', 'expired'];

/** Whether the status is terminal. */
export function hasEnded(status: PaymentStatus | null): boolean {
  return status !== null && ENDED.includes(status);
}

/** The page's event for a frame; null for frames that are not for pages. */
export function eventOfFrame(frame: EventFrame, paymentIntentId: string): PaymentEvent | null {
  const { id, error, terminal, createdAt } = frame;
  const common = { id, paymentIntentId, createdAt };
  if (frame.event === 'payment-failed') {
    return error?.code === 'PAYMENT_STUCK' && !terminal
      ? { ...common, error, type: 'advisory', status: 'processing', nextAction: null, terminal: false }
      : {
          ...common,
          error: error ?? UNKNOWN_FAILURE,
          type: 'payment-failed',
          status: terminal ? 'failed' : 'requires_payment_method',
          nextAction: null,
          terminal,
        };
  }
  const status = Object.hasOwn(STATUS_AFTER, frame.event) ? STATUS_AFTER[frame.event] : undefined;
  if (status === undefined) return null;
  return eventOf({ status, nextAction: asNextAction(frame.details?.nextAction), error }, common);
}

function eventOf(
  { status, nextAction, error }: PaymentState,
  at: Pick<PaymentEvent, 'id' | 'paymentIntentId' | 'createdAt'>,
): PaymentEvent {
  const common = { ...at, status, nextAction, terminal: hasEnded(status) };
  const type = EVENT_OF[status];
  return type === 'payment-failed' || type === 'advisory'
    ? { ...common, type, error: error ?? UNKNOWN_FAILURE }
    : { ...common, type, error };
}

interface PaymentState {
  readonly status: PaymentStatus;
  readonly nextAction: NextAction | null;
  readonly error: CheckoutError | null;
}

/** What is reported where the API does not say why a payment failed. */
export const UNKNOWN_FAILURE: CheckoutError = {
  code: 'PAYMENT_FAILED',
  message: 'The payment could not be processed.',
  details: null,
};

const STUCK: CheckoutError = {
  code: 'PAYMENT_STUCK',
  message: 'The payment takes longer than usual. It is still being processed.',
  details: null,
};

/** An event made of the state, where the events that led to it are not known. */
export function eventOfState(
  state: PaymentState,
  at: Pick<PaymentEvent, 'paymentIntentId' | 'createdAt'>,
): PaymentEvent {
  return eventOf(state, { ...at, id: null });
}

/** The advisory of a payment that got stuck before the page listened. */
export function advisoryOfState(at: Pick<PaymentEvent, 'paymentIntentId' | 'createdAt'>): PaymentEvent {
  return { ...at, id: null, type: 'advisory', status: 'processing', nextAction: null, error: STUCK, terminal: false };
}

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
  const common = { id, paymentIntentId, error, createdAt };
  if (frame.event === 'payment-failed') {
    return error?.code === 'PAYMENT_STUCK' && !terminal
      ? { ...common, type: 'advisory', status: 'processing', nextAction: null, terminal: false }
      : {
          ...common,
          type: 'payment-failed',
          status: terminal ? 'failed' : 'requires_payment_method',
          nextAction: null,
          terminal,
        };
  }
  const status = Object.hasOwn(STATUS_AFTER, frame.event) ? STATUS_AFTER[frame.event] : undefined;
  if (status === undefined) return null;
  const nextAction = asNextAction(frame.details?.nextAction);
  return { ...common, type: EVENT_OF[status], status, nextAction, terminal: hasEnded(status) };
}

interface PaymentState {
  readonly status: PaymentStatus;
  readonly nextAction: NextAction | null;
  readonly error: CheckoutError | null;
}

const STUCK: CheckoutError = {
  code: 'PAYMENT_STUCK',
  message: 'The payment takes longer than usual. It is still being processed.',
  details: null,
};

/** An event made of the state, where the events that led to it are not known. */
export function eventOfState(
  { status, nextAction, error }: PaymentState,
  at: Pick<PaymentEvent, 'paymentIntentId' | 'createdAt'>,
): PaymentEvent {
  return { ...at, id: null, type: EVENT_OF[status], status, nextAction, error, terminal: hasEnded(status) };
}

/** The advisory of a payment that got stuck before the page listened. */
export function advisoryOfState(at: Pick<PaymentEvent, 'paymentIntentId' | 'createdAt'>): PaymentEvent {
  return { ...eventOfState({ status: 'processing', nextAction: null, error: STUCK }, at), type: 'advisory' };
}

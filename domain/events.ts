/** Facts about a payment intent that clients are told. */
export const PAYMENT_EVENT_TYPES = [
  'payment_intent.created',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.stuck',
  'payment_intent.canceled',
  'payment_intent.expired',
] as const;

export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];
export type EventType = PaymentEventType | 'transaction.created';

/** The socket's name of each event; those without one are not sent to sockets. */
export const SOCKET_EVENT_NAMES: Readonly<Partial<Record<EventType, string>>> = {
  'payment_intent.processing': 'payment-processing',
  'payment_intent.requires_action': 'payment-requires-action',
  'payment_intent.amount_capturable': 'payment-amount-capturable',
  'payment_intent.succeeded': 'payment-succeeded',
  'payment_intent.payment_failed': 'payment-failed',
  'payment_intent.stuck': 'payment-failed',
  'payment_intent.canceled': 'payment-canceled',
  'payment_intent.expired': 'payment-expired',
};

/** Types of the events about a payment intent. */
const PAYMENT_EVENT_TYPES = [
  'payment_intent.created',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable',
  'payment_intent.succeeded',
  'payment_intent.amount_captured_changed',
  'payment_intent.payment_failed',
  'payment_intent.stuck',
  'payment_intent.waiting_for_provider',
  'payment_intent.canceled',
  'payment_intent.expired',
  'payment_intent.refunded',
  'payment_intent.stray_charge_reversed',
  'payment_intent.fraud_warning',
] as const;

/** Types of the events about a dispute. */
const DISPUTE_EVENT_TYPES = [
  'dispute.created',
  'dispute.updated',
  'dispute.response_due',
  'dispute.funds_withdrawn',
  'dispute.funds_reinstated',
  'dispute.closed',
] as const;

/** Types of the events about a refund. */
const REFUND_EVENT_TYPES = [
  'refund.created',
  'refund.waiting_for_provider',
  'refund.succeeded',
  'refund.failed',
] as const;

/** Types of the events about a saved payment method. */
const PAYMENT_METHOD_EVENT_TYPES = [
  'payment_method.saved',
  'payment_method.updated',
  'payment_method.invalidated',
  'payment_method.detached',
] as const;

/**
 * Types of the events about a webhook endpoint. A test event goes to its endpoint only, whatever types the endpoint subscribes
 * to.
 */
const WEBHOOK_EVENT_TYPES = [
  'webhook_endpoint.failing',
  'webhook_endpoint.recovered',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const;

/** Types of the events about an account at a provider. */
const PROVIDER_ACCOUNT_EVENT_TYPES = [
  'provider_account.credentials_refused',
  'provider_account.credentials_accepted',
] as const;

/** Types of the events about the comparison with a provider's list of payments. */
const RECONCILIATION_EVENT_TYPES = ['reconciliation.difference_found'] as const;

/** Types of the events about settlements and their entries. */
const SETTLEMENT_EVENT_TYPES = [
  'settlement.created',
  'settlement.paid',
  'settlement.failed',
  'settlement.difference_found',
] as const;

/** Types of the events about what looks like card testing. */
const CARD_TESTING_EVENT_TYPES = ['card_testing.suspected'] as const;

/** The types of all events. */
export const EVENT_TYPES = [
  ...PAYMENT_EVENT_TYPES,
  ...REFUND_EVENT_TYPES,
  'transaction.created',
  ...PAYMENT_METHOD_EVENT_TYPES,
  ...DISPUTE_EVENT_TYPES,
  ...PROVIDER_ACCOUNT_EVENT_TYPES,
  ...RECONCILIATION_EVENT_TYPES,
  ...SETTLEMENT_EVENT_TYPES,
  ...CARD_TESTING_EVENT_TYPES,
  ...WEBHOOK_EVENT_TYPES,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The name of each event on the sockets of checkout pages. Pages do not receive events without a name. */
export const SOCKET_EVENT_NAMES: Readonly<Partial<Record<EventType, string>>> = {
  'payment_intent.processing': 'payment-processing',
  'payment_intent.requires_action': 'payment-requires-action',
  'payment_intent.amount_capturable': 'payment-amount-capturable',
  'payment_intent.succeeded': 'payment-succeeded',
  'payment_intent.payment_failed': 'payment-failed',
  'payment_intent.stuck': 'payment-failed',
  'payment_intent.canceled': 'payment-canceled',
  'payment_intent.expired': 'payment-expired',
  'refund.created': 'refund-updated',
  'refund.succeeded': 'refund-updated',
  'refund.failed': 'refund-updated',
};

/** The name of each event on the sockets of merchants, who receive every event. */
export const MERCHANT_SOCKET_EVENT_NAMES: Readonly<Partial<Record<EventType, string>>> = {
  ...SOCKET_EVENT_NAMES,
  'payment_intent.created': 'payment-created',
  'payment_intent.amount_captured_changed': 'payment-amount-captured-changed',
  'payment_intent.refunded': 'payment-refunded',
  'payment_intent.waiting_for_provider': 'payment-waiting-for-provider',
  'payment_intent.stray_charge_reversed': 'payment-stray-charge-reversed',
  'payment_intent.fraud_warning': 'payment-fraud-warning',
  'dispute.created': 'dispute-updated',
  'dispute.updated': 'dispute-updated',
  'dispute.response_due': 'dispute-updated',
  'dispute.funds_withdrawn': 'dispute-updated',
  'dispute.funds_reinstated': 'dispute-updated',
  'dispute.closed': 'dispute-updated',
  'refund.waiting_for_provider': 'refund-updated',
  'transaction.created': 'transaction-created',
  'payment_method.saved': 'payment-method-saved',
  'payment_method.updated': 'payment-method-updated',
  'payment_method.invalidated': 'payment-method-invalidated',
  'payment_method.detached': 'payment-method-detached',
  'provider_account.credentials_refused': 'provider-account-credentials-refused',
  'provider_account.credentials_accepted': 'provider-account-credentials-accepted',
  'reconciliation.difference_found': 'reconciliation-difference-found',
  'settlement.created': 'settlement-created',
  'settlement.paid': 'settlement-paid',
  'settlement.failed': 'settlement-failed',
  'settlement.difference_found': 'settlement-difference-found',
  'card_testing.suspected': 'card-testing-suspected',
  'webhook_endpoint.failing': 'webhook-endpoint-failing',
  'webhook_endpoint.recovered': 'webhook-endpoint-recovered',
  'webhook_endpoint.disabled': 'webhook-endpoint-disabled',
  'webhook_endpoint.test': 'webhook-endpoint-test',
};

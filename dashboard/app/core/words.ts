import type { Event } from '../../../sdk/server/generated/schemas.ts';

type Look = 'success' | 'error' | 'warning' | 'info' | 'default';

/** What the API's words for states are called here, and their colour. */
const STATES: Readonly<Record<string, readonly [name: string, look: Look]>> = {
  requires_payment_method: ['Needs payment method', 'default'],
  processing: ['Processing', 'info'],
  requires_action: ['Needs action', 'warning'],
  requires_capture: ['Uncaptured', 'warning'],
  succeeded: ['Succeeded', 'success'],
  failed: ['Failed', 'error'],
  canceled: ['Canceled', 'default'],
  expired: ['Expired', 'default'],
  pending: ['Pending', 'info'],
  delivered: ['Delivered', 'success'],
  active: ['Active', 'success'],
  inactive: ['Deactivated', 'default'],
  invalid: ['Invalid', 'error'],
  detached: ['Removed', 'default'],
  used_up: ['Paid', 'success'],
  revoked: ['Revoked', 'error'],
  enabled: ['Enabled', 'success'],
  disabled: ['Disabled', 'error'],
  suspended: ['Suspended', 'error'],
  credentials_refused: ['Credentials refused', 'error'],
  running: ['Running', 'info'],
  completed: ['Completed', 'success'],
  approved: ['Approved', 'success'],
  declined: ['Declined', 'error'],
  not_charged: ['Not charged', 'default'],
  repaired: ['Repaired', 'success'],
  reported: ['Reported', 'warning'],
  authorization: ['Authorization', 'info'],
  capture: ['Capture', 'success'],
  void: ['Void', 'default'],
  capture_reversal: ['Capture failed', 'error'],
  refund: ['Refund', 'warning'],
  chargeback: ['Chargeback', 'error'],
  chargeback_reversal: ['Chargeback reversed', 'success'],
  inquiry: ['Inquiry', 'warning'],
  pre_arbitration: ['Pre-arbitration', 'error'],
  arbitration: ['Arbitration', 'error'],
  needs_response: ['Needs an answer', 'warning'],
  submitting: ['Answer is being sent', 'info'],
  accepting: ['Being accepted', 'info'],
  under_review: ['Under review', 'info'],
  won: ['Won', 'success'],
  lost: ['Lost', 'error'],
  closed: ['Closed', 'default'],
  accepted: ['Accepted', 'success'],
  written_off: ['Written off', 'default'],
  open: ['Open', 'info'],
  paid: ['Paid', 'success'],
  returned: ['Returned', 'error'],
  matched: ['Matched', 'success'],
  expected: ['Expected', 'info'],
  missing: ['Missing', 'error'],
  unknown: ['Unknown', 'warning'],
  amount_differs: ['Amount differs', 'warning'],
  currency_differs: ['Currency differs', 'warning'],
  fx: ['Exchange', 'default'],
  failing: ['Failing', 'error'],
  answered: ['Answered', 'success'],
  not_answered: ['Not answered', 'error'],
};

export function nameOf(state: string): string {
  return STATES[state]?.[0] ?? inWords(state);
}

export function lookOf(state: string): Look {
  return STATES[state]?.[1] ?? 'default';
}

/** `requested_by_customer` as `Requested by customer`, and `secretKey` as `Secret key`. */
export function inWords(identifier: string): string {
  const words = identifier.replaceAll(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
  const text = words.replaceAll(/[._]/g, ' ').replace(/^(?:api|hmac)\b/, (name) => name.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The codes that name a provider by its abbreviation. */
const CODE_NAMES: Readonly<Partial<Record<string, string>>> = {
  TSP_ERROR: 'Error at the provider',
  TSP_TIMEOUT: 'No answer from the provider in time',
  TSP_UNAVAILABLE: 'Provider unavailable',
  TSP_PAYMENT_FAILED: 'Failed at the provider',
  NO_TSP_AVAILABLE: 'No provider available',
};

/** A code of the API, such as `INSUFFICIENT_FUNDS`, as `Insufficient funds`. */
export function codeName(code: string): string {
  return CODE_NAMES[code] ?? inWords(code.toLowerCase());
}

/** Choices of a select, by the API's words. */
export function choicesOf(words: readonly string[], name: (word: string) => string = nameOf) {
  return words.map((id) => ({ id, name: name(id) }));
}

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

/** Whether nothing can follow this state of a payment. */
export function isFinal(status: string): boolean {
  return ['succeeded', 'failed', 'canceled', 'expired'].includes(status);
}

export const PAYMENT_METHODS = [
  { id: 'card', name: 'Card' },
  { id: 'upi', name: 'UPI' },
  { id: 'crypto', name: 'Crypto' },
];

export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;

export const EVENT_TYPES = [
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
  'refund.created',
  'refund.waiting_for_provider',
  'refund.succeeded',
  'refund.failed',
  'transaction.created',
  'dispute.created',
  'dispute.updated',
  'dispute.response_due',
  'dispute.funds_withdrawn',
  'dispute.funds_reinstated',
  'dispute.closed',
  'provider_account.credentials_refused',
  'provider_account.credentials_accepted',
  'reconciliation.difference_found',
  'settlement.created',
  'settlement.paid',
  'settlement.failed',
  'settlement.difference_found',
  'card_testing.suspected',
  'webhook_endpoint.failing',
  'webhook_endpoint.recovered',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const satisfies readonly Event['type'][];

export const COUNTRY_HINT = 'Two capital letters, such as DE';

/** Currencies that a select offers first. */
export function currencies(): readonly string[] {
  return Intl.supportedValuesOf('currency');
}

/** A time as an input of the browser has it, in the reader's zone, as the API takes it. */
export function isoOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

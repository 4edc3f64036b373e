import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import type { DisputeState } from '../domain/dispute-plan.ts';
import { DATABASE_BEHIND_HISTORY, type IntentColumns } from '../domain/payment-step.ts';
import type { Attempt, PaymentError } from '../domain/payment.ts';
import { INITIAL_STATUS } from '../domain/payment-state.ts';
import type { RefundResolution } from '../domain/refund.ts';
import type { WebhookDeliveryStatus } from '../domain/webhook.ts';
import { STRAY_CHARGE_NOT_REVERSED, type StrayChargeResult } from '../domain/stray-charge.ts';
import type {
  DisputeInput,
  PaymentIntentInput,
  ReconciliationInput,
  RefundInput,
  SavedMethodInput,
  StrayChargeInput,
  WebhookDeliveryInput,
  WebhookRecoveryInput,
} from './messages.ts';

/** The attributes by which support staff find payments in the Temporal UI. Never personal data: they are not encrypted. */
export const SEARCH_ATTRIBUTES = {
  merchantAccount: defineSearchAttributeKey('MerchantAccount', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('PaymentEnvironment', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('PaymentStatus', SearchAttributeType.KEYWORD),
  provider: defineSearchAttributeKey('PaymentProvider', SearchAttributeType.KEYWORD),
  errorCode: defineSearchAttributeKey('PaymentErrorCode', SearchAttributeType.KEYWORD),
  currency: defineSearchAttributeKey('PaymentCurrency', SearchAttributeType.KEYWORD),
  country: defineSearchAttributeKey('PaymentCountry', SearchAttributeType.KEYWORD),
  amountMinor: defineSearchAttributeKey('PaymentAmountMinor', SearchAttributeType.INT),
  /** The merchant's own identifier of the payment or refund. Merchants are told to put no personal data in it. */
  reference: defineSearchAttributeKey('PaymentReference', SearchAttributeType.KEYWORD),
  /** On refunds, stray charges and webhooks: the payment that they are about. */
  paymentIntent: defineSearchAttributeKey('PaymentIntent', SearchAttributeType.KEYWORD),
  /** On disputes: the end of the time to answer. */
  respondBy: defineSearchAttributeKey('DisputeRespondBy', SearchAttributeType.DATETIME),
  webhookEndpoint: defineSearchAttributeKey('WebhookEndpoint', SearchAttributeType.KEYWORD),
  // Lists, because SQL visibility has 10 attributes of the kind Keyword and 3 of the kind KeywordList.
  /** The merchant's customer, `cus_…`. */
  customer: defineSearchAttributeKey('PaymentCustomer', SearchAttributeType.KEYWORD_LIST),
  /** The last four digits of each card that was confirmed. */
  cardLast4: defineSearchAttributeKey('PaymentCardLast4', SearchAttributeType.KEYWORD_LIST),
  /** The attempts that failed, by provider and by code. */
  failedAttempts: defineSearchAttributeKey('PaymentFailedAttempts', SearchAttributeType.KEYWORD_LIST),
} as const;

type Terms = PaymentIntentInput['terms'];

/** The search attributes of a payment at its start. */
export function initialSearchAttributes(input: PaymentIntentInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.status, value: INITIAL_STATUS },
    ...priceSearchAttributes(input.terms),
    ...(input.terms.country === null ? [] : [{ key: SEARCH_ATTRIBUTES.country, value: input.terms.country }]),
    ...referenceSearchAttribute(input.terms),
    ...(input.customerId === undefined ? [] : [{ key: SEARCH_ATTRIBUTES.customer, value: [input.customerId] }]),
  ];
}

/** The search attributes of a payment after an update, which may also have cleared its country or its reference. */
export function termsSearchAttributes(before: Terms, after: Terms): SearchAttributeUpdatePair[] {
  const reference = after.reference ?? null;
  return [
    ...priceSearchAttributes(after),
    { key: SEARCH_ATTRIBUTES.country, value: after.country },
    ...(reference === (before.reference ?? null) ? [] : [{ key: SEARCH_ATTRIBUTES.reference, value: reference }]),
  ];
}

/** The search attribute of a payment whose customer an update has changed; null for none. */
export function customerSearchAttributes(customerId: string | null): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.customer, value: customerId === null ? null : [customerId] }];
}

function referenceSearchAttribute({ reference }: { readonly reference?: string | null }): SearchAttributePair[] {
  return typeof reference === 'string' ? [{ key: SEARCH_ATTRIBUTES.reference, value: reference }] : [];
}

function priceSearchAttributes({
  currency,
  amountMinor,
}: Pick<Terms, 'currency' | 'amountMinor'>): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.currency, value: currency },
    { key: SEARCH_ATTRIBUTES.amountMinor, value: amountMinor },
  ];
}

/**
 * The search attributes that a step changes; empty when it changes none. A new state also clears the code of a refused
 * confirm, which the columns do not hold.
 */
export function changedSearchAttributes(before: IntentColumns, after: IntentColumns): SearchAttributeUpdatePair[] {
  const moved = after.status !== before.status;
  const values = [
    { key: SEARCH_ATTRIBUTES.status, changed: moved, value: after.status },
    { key: SEARCH_ATTRIBUTES.provider, changed: after.provider !== before.provider, value: after.provider },
    {
      key: SEARCH_ATTRIBUTES.errorCode,
      changed: moved || errorCodeOf(after) !== errorCodeOf(before),
      value: errorCodeOf(after),
    },
  ];
  return values.flatMap(({ key, changed, value }) => (changed ? [{ key, value }] : []));
}

/** Properties by which a payment is found, and which are neither columns nor terms. */
export interface PaymentTraits {
  readonly cardsLast4: readonly string[];
  readonly attempts: readonly Attempt[];
}

/** The search attributes of cards and failed attempts; empty where there are none. */
export function traitSearchAttributes({ cardsLast4, attempts }: PaymentTraits): SearchAttributePair[] {
  const lists = [
    { key: SEARCH_ATTRIBUTES.cardLast4, value: [...new Set(cardsLast4)] },
    { key: SEARCH_ATTRIBUTES.failedAttempts, value: [...new Set(attempts.flatMap(failureKeywords))] },
  ];
  return lists.filter(({ value }) => value.length > 0);
}

/** A provider that gave no usable answer is listed by its name; every failed attempt as `provider:CODE`. */
function failureKeywords({ provider, outcome, code }: Attempt): readonly string[] {
  if (outcome === null || outcome === 'approved' || outcome === 'canceled') return [];
  return [...(outcome === 'not_charged' ? [provider] : []), ...(code === null ? [] : [`${provider}:${code}`])];
}

/** The search attributes of a payment whose confirm was refused before any provider was called; its state is unchanged. */
export function refusalSearchAttributes({ code }: PaymentError): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.errorCode, value: code }];
}

function errorCodeOf(columns: Pick<IntentColumns, 'lastError' | 'advisory'>): string | null {
  return columns.lastError?.code ?? columns.advisory?.code ?? null;
}

/** The search attributes of a refund at its start. */
export function refundSearchAttributes(input: RefundInput): SearchAttributePair[] {
  return [...pendingSearchAttributes(input), ...referenceSearchAttribute(input)];
}

/** The search attributes of a stray charge at its start. */
export function strayChargeSearchAttributes(input: StrayChargeInput): SearchAttributePair[] {
  return pendingSearchAttributes(input);
}

type AtProvider = Pick<
  RefundInput,
  'merchantAccountId' | 'environment' | 'paymentIntentId' | 'provider' | 'amountMinor' | 'currency'
>;

function pendingSearchAttributes(input: AtProvider): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.paymentIntent, value: input.paymentIntentId },
    { key: SEARCH_ATTRIBUTES.provider, value: input.provider },
    { key: SEARCH_ATTRIBUTES.status, value: 'pending' },
    ...priceSearchAttributes(input),
  ];
}

/** The search attributes of a refund after its end; an advisory is over. */
export function endedRefundSearchAttributes({ status, failure }: RefundResolution): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.status, value: status },
    { key: SEARCH_ATTRIBUTES.errorCode, value: failure?.code ?? null },
  ];
}

/** The search attributes of a refund or a stray charge that waits for its provider for minutes. */
export function waitingSearchAttributes(): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.errorCode, value: 'WAITING_FOR_PROVIDER' }];
}

/** The search attributes of a stray charge after its end: amount and currency are then the provider's. */
export function endedStrayChargeSearchAttributes({
  status,
  amountMinor,
  currency,
}: StrayChargeResult): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.status, value: status },
    ...(amountMinor === null || currency === null ? [] : priceSearchAttributes({ amountMinor, currency })),
    { key: SEARCH_ATTRIBUTES.errorCode, value: status === 'failed' ? STRAY_CHARGE_NOT_REVERSED : null },
  ];
}

/** The search attributes of a dispute's workflow at its start. */
export function disputeSearchAttributes(input: DisputeInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.paymentIntent, value: input.paymentIntentId },
    { key: SEARCH_ATTRIBUTES.provider, value: input.provider },
  ];
}

/** The search attributes of a dispute as it stands. */
export function disputeStateSearchAttributes(dispute: DisputeState): SearchAttributeUpdatePair[] {
  const { status, respondBy, amountMinor, currency } = dispute;
  return [
    { key: SEARCH_ATTRIBUTES.status, value: status },
    { key: SEARCH_ATTRIBUTES.respondBy, value: respondBy === null ? null : new Date(respondBy) },
    ...(amountMinor === null || currency === null ? [] : priceSearchAttributes({ amountMinor, currency })),
  ];
}

/** The search attributes of a saved payment method's workflow at its start. */
export function savedMethodSearchAttributes({
  merchantAccountId,
  environment,
}: SavedMethodInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: environment },
    { key: SEARCH_ATTRIBUTES.status, value: 'pending' },
  ];
}

/** The search attributes of a saved payment method's workflow after its end. */
export function endedSavedMethodSearchAttributes(status: 'completed' | 'removed'): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.status, value: status }];
}

/** The search attributes of a reconciliation. */
export function reconciliationSearchAttributes({
  provider,
}: Pick<ReconciliationInput, 'provider'>): SearchAttributePair[] {
  return [{ key: SEARCH_ATTRIBUTES.provider, value: provider }];
}

/** The search attributes of an endpoint's recovery. */
export function recoverySearchAttributes(input: WebhookRecoveryInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.webhookEndpoint, value: input.webhookEndpointId },
  ];
}

/** The search attributes of a delivery at its start. */
export function webhookSearchAttributes(input: WebhookDeliveryInput): SearchAttributePair[] {
  return [
    ...recoverySearchAttributes(input),
    ...webhookStatusSearchAttribute('pending'),
    ...(input.paymentIntentId === null ? [] : [{ key: SEARCH_ATTRIBUTES.paymentIntent, value: input.paymentIntentId }]),
  ];
}

/** The search attribute of a delivery's status; `held` where it waits as a row, and the endpoint's recovery sends it. */
export function webhookStatusSearchAttribute(status: WebhookDeliveryStatus | 'held'): SearchAttributePair[] {
  return [{ key: SEARCH_ATTRIBUTES.status, value: status }];
}

/** The search attributes of a payment whose run has halted because the database is older than its history. */
export function databaseBehindSearchAttributes(): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.errorCode, value: DATABASE_BEHIND_HISTORY }];
}

import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import { DATABASE_BEHIND_HISTORY, type IntentColumns } from '../domain/payment-step.ts';
import type { PaymentError } from '../domain/payment.ts';
import { INITIAL_STATUS } from '../domain/payment-state.ts';
import type { RefundResolution } from '../domain/refund.ts';
import type { WebhookDeliveryStatus } from '../domain/webhook.ts';
import { STRAY_CHARGE_NOT_REVERSED, type StrayChargeResult } from '../domain/stray-charge.ts';
import type { PaymentIntentInput, RefundInput, StrayChargeInput, WebhookDeliveryInput } from './messages.ts';

/** By what support staff find payments in the Temporal UI. Never personal data: search attributes are not encrypted. */
export const SEARCH_ATTRIBUTES = {
  merchantAccount: defineSearchAttributeKey('MerchantAccount', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('PaymentEnvironment', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('PaymentStatus', SearchAttributeType.KEYWORD),
  provider: defineSearchAttributeKey('PaymentProvider', SearchAttributeType.KEYWORD),
  errorCode: defineSearchAttributeKey('PaymentErrorCode', SearchAttributeType.KEYWORD),
  currency: defineSearchAttributeKey('PaymentCurrency', SearchAttributeType.KEYWORD),
  country: defineSearchAttributeKey('PaymentCountry', SearchAttributeType.KEYWORD),
  amountMinor: defineSearchAttributeKey('PaymentAmountMinor', SearchAttributeType.INT),
  /** On refunds, stray charges and webhooks: the payment that they are about. */
  paymentIntent: defineSearchAttributeKey('PaymentIntent', SearchAttributeType.KEYWORD),
  webhookEndpoint: defineSearchAttributeKey('WebhookEndpoint', SearchAttributeType.KEYWORD),
} as const;

type Terms = PaymentIntentInput['terms'];

/** What a payment is found by from its start. */
export function initialSearchAttributes(input: PaymentIntentInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.status, value: INITIAL_STATUS },
    ...priceSearchAttributes(input.terms),
    ...(input.terms.country === null ? [] : [{ key: SEARCH_ATTRIBUTES.country, value: input.terms.country }]),
  ];
}

/** What a payment is found by after an amendment, which may also have taken its country away. */
export function termsSearchAttributes(terms: Terms): SearchAttributeUpdatePair[] {
  return [...priceSearchAttributes(terms), { key: SEARCH_ATTRIBUTES.country, value: terms.country }];
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
 * What has changed of what a payment is found by; empty when nothing has. A new state also takes the code of a refusal
 * away, which the columns do not show.
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

/** What a payment is found by whose last confirm was refused before any provider was asked; its state is as it was. */
export function refusalSearchAttributes({ code }: PaymentError): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.errorCode, value: code }];
}

function errorCodeOf(columns: Pick<IntentColumns, 'lastError' | 'advisory'>): string | null {
  return columns.lastError?.code ?? columns.advisory?.code ?? null;
}

/** What a refund is found by from its start. */
export function refundSearchAttributes(input: RefundInput): SearchAttributePair[] {
  return pendingSearchAttributes(input);
}

/** What a stray charge is found by from its start. */
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

/** What a refund is found by after its end. */
export function endedRefundSearchAttributes({ status, failure }: RefundResolution): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.status, value: status },
    ...(failure === null ? [] : [{ key: SEARCH_ATTRIBUTES.errorCode, value: failure.code }]),
  ];
}

/** What a stray charge is found by after its end: the amount and currency are then the provider's. */
export function endedStrayChargeSearchAttributes({
  status,
  amountMinor,
  currency,
}: StrayChargeResult): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.status, value: status },
    ...(amountMinor === null || currency === null ? [] : priceSearchAttributes({ amountMinor, currency })),
    ...(status === 'failed' ? [{ key: SEARCH_ATTRIBUTES.errorCode, value: STRAY_CHARGE_NOT_REVERSED }] : []),
  ];
}

/** What a webhook is found by from its start. */
export function webhookSearchAttributes(input: WebhookDeliveryInput): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.merchantAccount, value: input.merchantAccountId },
    { key: SEARCH_ATTRIBUTES.environment, value: input.environment },
    { key: SEARCH_ATTRIBUTES.webhookEndpoint, value: input.webhookEndpointId },
    ...webhookStatusSearchAttribute('pending'),
    ...(input.paymentIntentId === null ? [] : [{ key: SEARCH_ATTRIBUTES.paymentIntent, value: input.paymentIntentId }]),
  ];
}

/** What a webhook is found by as it goes. */
export function webhookStatusSearchAttribute(status: WebhookDeliveryStatus): SearchAttributePair[] {
  return [{ key: SEARCH_ATTRIBUTES.status, value: status }];
}

/** What a payment is found by whose run has halted because the database knows less than its history. */
export function databaseBehindSearchAttributes(): SearchAttributeUpdatePair[] {
  return [{ key: SEARCH_ATTRIBUTES.errorCode, value: DATABASE_BEHIND_HISTORY }];
}

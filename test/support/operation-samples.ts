import assert from 'node:assert/strict';
import type { ApiOperation } from '../../api/resources/api-operation.ts';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { nameOf, parameterNamesOf } from './api-operations.ts';
import type { MerchantRows } from './merchant-rows.ts';
import { SIMULATOR_ACCOUNT } from './provider-accounts.ts';
import { card } from '../../sandbox/test-payment-methods.ts';

/** How tests of every endpoint find a row of one resource. */
interface ResourceSample {
  /** The path parameters of the row. */
  readonly parametersOf: (rows: MerchantRows) => Readonly<Record<string, string>>;
  readonly notFound: ErrorCode;
  /** The owner; other accounts of the merchant see rows that belong to the merchant. */
  readonly owner: 'account' | 'merchant';
  /** Whether the path has a value, such as a currency, that names a row of each merchant. */
  readonly isNamedByValue?: true;
  /** Whether a key that is bound to another account of the merchant does not see the row, although the merchant owns it. */
  readonly isHiddenFromBound?: true;
}

const SAMPLES: Readonly<Record<string, ResourceSample>> = {
  'payment-intents': {
    parametersOf: ({ openIntentId: id }) => ({ id }),
    notFound: 'PAYMENT_INTENT_NOT_FOUND',
    owner: 'account',
  },
  transactions: {
    parametersOf: ({ captureId: id }) => ({ id }),
    notFound: 'TRANSACTION_NOT_FOUND',
    owner: 'account',
  },
  refunds: { parametersOf: ({ refundId: id }) => ({ id }), notFound: 'REFUND_NOT_FOUND', owner: 'account' },
  disputes: {
    parametersOf: ({ disputeId: id }) => ({ id, kind: 'receipt' }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  settlements: {
    parametersOf: ({ settlementId: id, settlementEntryId: entryId }) => ({ id, entryId }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  customers: { parametersOf: ({ customerId: id }) => ({ id }), notFound: 'CUSTOMER_NOT_FOUND', owner: 'account' },
  'payment-methods': {
    parametersOf: ({ savedMethodId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  merchants: {
    parametersOf: ({ accountId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'merchant',
    isHiddenFromBound: true,
  },
  'api-keys': { parametersOf: ({ apiKeyId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'account' },
  'provider-accounts': {
    parametersOf: ({ providerAccountId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  'payment-routes': { parametersOf: ({ routeId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'merchant' },
  'card-groups': { parametersOf: ({ cardGroupId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'merchant' },
  'route-sets': { parametersOf: ({ routeSetId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'merchant' },
  'payment-links': {
    parametersOf: ({ paymentLinkId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  'routing-settings': {
    parametersOf: () => ({ paymentMethod: 'card' }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'merchant',
    isNamedByValue: true,
  },
  'channel-limits': {
    parametersOf: () => ({ paymentMethod: 'card', currency: 'USD' }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'merchant',
    isNamedByValue: true,
  },
  'webhook-endpoints': {
    parametersOf: ({ webhookEndpointId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  'audit-events': {
    parametersOf: ({ auditEventId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'merchant',
    isHiddenFromBound: true,
  },
  requests: { parametersOf: ({ requestId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'account' },
  'provider-health': {
    parametersOf: () => ({ provider: 'alpha' }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'merchant',
    isNamedByValue: true,
  },
  'reconciliation-runs': {
    parametersOf: ({ reconciliationRunId: id }) => ({ id }),
    notFound: 'RESOURCE_NOT_FOUND',
    owner: 'account',
  },
  events: { parametersOf: ({ eventId: id }) => ({ id }), notFound: 'RESOURCE_NOT_FOUND', owner: 'account' },
};

/** In Base64. */
const PDF = Buffer.from('%PDF-1.7').toString('base64');

/** Valid bodies of operations that reject an empty body. */
const BODIES: Readonly<Record<string, (rows: MerchantRows) => object>> = {
  createPaymentIntent: () => ({ amount: 1_000, currency: 'USD' }),
  confirmPaymentIntent: () => ({ paymentMethod: card('approved') }),
  createPaymentMethod: () => ({ paymentMethod: card('approved') }),
  resolvePaymentIntentByHand: () => ({ outcome: 'not_charged', note: 'Not in their ledger' }),
  resolveStrayChargeByHand: () => ({ attemptId: 'att_1', outcome: 'returned', note: 'Sent by bank transfer' }),
  resolveRefundByHand: () => ({ outcome: 'not_refunded', note: 'Not in their ledger' }),
  createRefund: ({ paidIntentId }) => ({ paymentIntentId: paidIntentId }),
  createMerchantAccount: () => ({ name: 'Shop' }),
  createApiKey: () => ({ name: 'Reader', scopes: ['customers:read'] }),
  createProviderAccount: () => SIMULATOR_ACCOUNT,
  updateProviderAccount: () => ({ name: 'Changed' }),
  rotateProviderAccountCredentials: () => ({ credentials: SIMULATOR_ACCOUNT.credentials }),
  createPaymentLink: () => ({ amount: 1_000, currency: 'USD' }),
  updatePaymentLink: () => ({ description: 'Changed' }),
  createPaymentRoute: () => ({ provider: 'alpha', paymentMethod: 'card' }),
  createRouteSet: () => ({}),
  createCardGroup: () => ({ name: 'Corporate cards', prefixes: ['411111'] }),
  simulatePaymentRoutes: () => ({ amount: 1_000, currency: 'USD', paymentMethod: 'card' }),
  advanceTestClock: () => ({ seconds: 1 }),
  putRoutingSetting: () => ({ ordering: 'weighted' }),
  putChannelLimit: () => ({ minimumAmount: 1, maximumAmount: 99_999 }),
  updateDispute: () => ({ evidence: { explanation: 'It was delivered.' } }),
  uploadDisputeFile: () => ({ kind: 'receipt', contentType: 'application/pdf', content: PDF }),
  confirmSettlement: () => ({ amount: 941, currency: 'USD', valueDate: '2026-11-30' }),
  resolveSettlementEntry: () => ({ resolution: 'accepted', note: 'Asked the provider' }),
  updateCardGroup: () => ({ name: 'Changed' }),
  updatePaymentIntent: () => ({ description: 'Changed' }),
  updateCustomer: () => ({ name: 'Changed' }),
  updateSavedPaymentMethod: () => ({ isDefault: true }),
  updateMerchantAccount: () => ({ name: 'Changed' }),
  updateApiKey: () => ({ name: 'Changed' }),
  updatePaymentRoute: () => ({ priority: 7 }),
  createWebhookEndpoint: () => ({ url: 'https://1.1.1.1/hooks' }),
  updateWebhookEndpoint: () => ({ description: 'Changed' }),
  redeliverMissedEvents: ({ webhookEndpointId }) => ({ webhookEndpointId, since: '2026-11-28T06:00:00Z' }),
};

/** The sample of an endpoint's resource; undefined for collections. */
export function sampleOf(operation: ApiOperation): ResourceSample | undefined {
  if (parameterNamesOf(operation).length === 0) return undefined;
  const sample = SAMPLES[operation.resource];
  assert.ok(
    sample,
    `${nameOf(operation)}: add a row of "${operation.resource}" to createRows (test/support/merchant-rows.ts) and what ` +
      'names it to SAMPLES (test/support/operation-samples.ts), so that this operation is tested like all others.',
  );
  return sample;
}

/** What names the merchant's row of the endpoint's resource, and no row of another merchant. */
export function ownNamesOf({ resource }: ApiOperation, rows: MerchantRows): readonly string[] {
  const sample = SAMPLES[resource];
  return sample === undefined || sample.isNamedByValue === true ? [] : Object.values(sample.parametersOf(rows));
}

/** Every scope that a key needs for the operation. */
export function scopesOf({ scope, needsSupport = false }: ApiOperation): readonly string[] {
  return needsSupport ? [scope, SUPPORT_SCOPE] : [scope];
}

/** The path parameters of a merchant's row; empty for collections. */
export function parametersFor(operation: ApiOperation, rows: MerchantRows): Readonly<Record<string, string>> {
  return sampleOf(operation)?.parametersOf(rows) ?? {};
}

/** A body that the endpoint accepts; undefined if it accepts none. */
export function bodyFor(operation: ApiOperation, rows: MerchantRows): object | undefined {
  if (operation.body === null) return undefined;
  const body = BODIES[operation.operationId]?.(rows) ?? {};
  assert.ok(
    operation.body.safeParse(body).success,
    `${nameOf(operation)}: add a valid body of "${operation.operationId}" to BODIES (test/support/operation-samples.ts), ` +
      'so that this operation is tested like all others.',
  );
  return body;
}

/** Parameters of the same form with unknown ids. */
export function unknownParameters(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, unknownId(value)]));
}

/** An unknown id of the same form. */
export function unknownId(id: string): string {
  return id.replace(/[0-9a-f]{32}/, 'f'.repeat(32));
}

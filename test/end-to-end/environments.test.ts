import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import type { ApiOperation } from '../../api/resources/api-operation.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import {
  bodyFor,
  ownNamesOf,
  parametersFor,
  sampleOf,
  unknownId,
  unknownParameters,
} from '../support/operation-samples.ts';
import { OPERATIONS_OF_API, methodOf, nameOf, pathOf } from '../support/api-operations.ts';
import { failureOf } from '../support/envelopes.ts';
import { createRows, type MerchantRows } from '../support/merchant-rows.ts';
import { copyRoutesAndLimits, createAccount, createKey, createMerchant } from '../support/merchants.ts';
import { clientOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';
import { connectSocket } from '../support/socket-client.ts';
import { getStack } from '../support/stack.ts';

const CLOCK = OPERATIONS_OF_API.filter(({ resource }) => resource === 'test-clock');
const READS = OPERATIONS_OF_API.filter((operation) => operation.method === 'get' && !CLOCK.includes(operation));
const LISTS = READS.filter(({ isList }) => isList);
const ID = /\b(?:pi|att|txn|cus|re|dp|pm|spm|mer|key|rt|crdg|rset|whe|evt|aud|plink)_[0-9a-f]{32}(?:_\d+)?/g;
const ENVIRONMENT = /"environment":"(\w+)"/g;
const PAGING = ['page', 'limit'];

const listAnswer = z.looseObject({
  data: z.array(z.unknown()),
  pagination: z.looseObject({ total: z.int(), totalPages: z.int() }),
});

/** Values for filters that only one merchant's rows have, such as ids. */
const OWN_FILTERS: Readonly<Record<string, (rows: MerchantRows, endpoint: ApiOperation) => readonly string[]>> = {
  customerId: ({ customerId }) => [customerId],
  email: ({ customerEmail }) => [customerEmail],
  paymentIntentId: ({ paidIntentId }) => [paidIntentId],
  paymentLinkId: ({ paymentLinkId }) => [paymentLinkId],
  resourceId: ({ paidIntentId, refundId, captureId, apiKeyId }) => [paidIntentId, refundId, captureId, apiKeyId],
  actorId: ({ merchant }) => [merchant.apiKeyId],
  startingAfter: (rows, endpoint) => ownNamesOf(endpoint, rows),
  after: ({ eventId }) => [eventId],
  before: ({ eventId }) => [eventId],
  settlementId: ({ settlementId }) => [settlementId],
  transactionId: ({ captureId }) => [captureId],
  id: ({ paidIntentId, refundId, captureId }) => [paidIntentId, refundId, captureId],
};
/** Values for filters that rows of every merchant may have. */
const SHARED_FILTERS: Readonly<Record<string, string>> = {
  status: 'succeeded',
  currency: 'USD',
  type: 'capture',
  provider: 'alpha',
  paymentMethod: 'card',
  country: 'DE',
  reference: 'order-1',
  last4: '4242',
  errorCode: 'CARD_DECLINED',
  amountMin: '1',
  amountMax: '99999999999',
  metadata: '7',
  active: 'true',
  retried: 'false',
  match: 'unknown',
  stage: 'inquiry',
  reason: 'general',
  action: 'api_key.created',
  kind: 'simulator',
  respondByBefore: '2126-01-01T00:00:00.000Z',
  sort: 'respond_by',
  createdFrom: '2026-01-01T00:00:00.000Z',
  createdAfter: '2026-01-01T00:00:00.000Z',
  createdBefore: '2126-01-01T00:00:00.000Z',
};
/** The names of filters that differ in some lists. */
const SHARED_FILTERS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listDisputes: { status: 'closed', stage: 'inquiry', reason: 'general' },
  listEvents: { type: 'payment_intent.succeeded' },
  listProviderAccounts: { status: 'active' },
  listSettlements: { status: 'paid' },
  listSettlementEntries: { type: 'other' },
  listReconciliationRuns: { status: 'completed' },
  listSavedPaymentMethods: { status: 'active' },
  listWebhookEndpointDeliveries: { status: 'delivered' },
};

describe('the environments of one merchant', function () {
  this.timeout(2 * MINUTE_MS);
  let sandbox: MerchantRows;
  let production: MerchantRows;
  let sides: readonly (readonly [own: MerchantRows, other: MerchantRows])[];

  before('create rows of every resource in both, payments included', async () => {
    const inSandbox = await createMerchant();
    await copyRoutesAndLimits(inSandbox.merchantId, 'production');
    const inProduction = await createAccount(inSandbox.merchantId, 'production');
    [sandbox, production] = await Promise.all([createRows(inSandbox), createRows(inProduction)]);
    sides = [
      [sandbox, production],
      [production, sandbox],
    ];
  });

  it('are distinguished by the prefix of the key, and share no id in any list', async () => {
    const [idsOfSandbox, idsOfProduction] = await Promise.all([
      readEverything(sandbox, 'sandbox'),
      readEverything(production, 'production'),
    ]);
    assert.deepEqual(prefixesOf(idsOfSandbox), prefixesOf(idsOfProduction));
    assert.ok(
      ['pi', 'txn', 're', 'cus', 'mer', 'key', 'rt', 'evt'].every((prefix) => prefixesOf(idsOfSandbox).has(prefix)),
    );
    assert.deepEqual(
      [...idsOfSandbox].filter((id) => idsOfProduction.has(id)),
      [],
    );
    assert.match(sandbox.merchant.credentials.apiKey, /^svc_test_/);
    assert.match(production.merchant.credentials.apiKey, /^svc_live_/);
  });

  it('have a test clock in the sandbox only', async () => {
    for (const endpoint of CLOCK) {
      const send = ({ merchant }: MerchantRows) =>
        clientOf(merchant.credentials)(methodOf(endpoint), pathOf(endpoint, {}), bodyFor(endpoint, sandbox));
      assert.equal((await send(sandbox)).status, 200, nameOf(endpoint));
      assert.equal(failureOf(await send(production)).code, 'FORBIDDEN', nameOf(endpoint));
    }
  });

  it('treat the ids of the other one like unknown ids', async () => {
    const named = READS.filter(({ isList }) => !isList).filter((endpoint) => {
      const sample = sampleOf(endpoint);
      return sample !== undefined && sample.isNamedByValue !== true;
    });
    for (const [own, other] of sides) {
      const send = clientOf(own.merchant.credentials);
      for (const endpoint of named) {
        const parameters = parametersFor(endpoint, other);
        const foreign = await send('GET', pathOf(endpoint, parameters));
        const unknown = await send('GET', pathOf(endpoint, unknownParameters(parameters)));
        assert.equal(foreign.status, 404, nameOf(endpoint));
        const { id = '' } = parameters;
        assert.equal(comparablePart(foreign, id), comparablePart(unknown, unknownId(id)), nameOf(endpoint));
      }
    }
  });

  it('find nothing by the ids and addresses of the other one', async () => {
    const asked = LISTS.flatMap((endpoint) =>
      filtersOf(endpoint).flatMap((filter) => (OWN_FILTERS[filter] ? [{ endpoint, filter }] : [])),
    );
    assert.ok(asked.length > 0);
    for (const [own, other] of sides) {
      const send = clientOf(own.merchant.credentials);
      for (const { endpoint, filter } of asked) {
        for (const value of OWN_FILTERS[filter]?.(other, endpoint) ?? []) {
          const foreign = await send('GET', `${endpoint.path}?${filter}=${value}`);
          const unknown = await send('GET', `${endpoint.path}?${filter}=${unknownId(value)}`);
          const name = `${nameOf(endpoint)} by ${filter}`;
          assert.equal(comparablePart(foreign, value), comparablePart(unknown, unknownId(value)), name);
          assert.ok(foreign.status === 404 || isEmptyPage(foreign), name);
        }
      }
    }
  });

  it('find only their own rows by values that rows of both have', async () => {
    const idsOfSandbox = await readEverything(sandbox, 'sandbox');
    const send = clientOf(production.merchant.credentials);
    for (const endpoint of LISTS.filter(namesOwnOnly)) {
      for (const filter of filtersOf(endpoint).filter((name) => !OWN_FILTERS[name])) {
        const value = SHARED_FILTERS_OF[endpoint.operationId]?.[filter] ?? SHARED_FILTERS[filter];
        assert.ok(value, `${nameOf(endpoint)}: add a value of "${filter}" to OWN_FILTERS or SHARED_FILTERS`);
        const answer = await send(
          'GET',
          `${pathOf(endpoint, parametersFor(endpoint, production))}?limit=100&${filter === 'metadata' ? 'metadata[order]' : filter}=${value}`,
        );
        const name = `${nameOf(endpoint)} by ${filter}`;
        assert.equal(answer.status, 200, name);
        assert.deepEqual(
          idsIn(answer).filter((id) => idsOfSandbox.has(id)),
          [],
          name,
        );
      }
    }
  });

  it('use nothing of the other one for a payment or a refund', async () => {
    for (const [own, other] of sides) {
      const send = clientOf(own.merchant.credentials);
      const intent = { amount: 1_000, currency: 'USD' };
      for (const [method, path, body, field, id] of [
        ['POST', '/payment-intents', intent, 'customerId', other.customerId],
        ['PATCH', `/payment-intents/${own.openIntentId}`, {}, 'customerId', other.customerId],
        ['POST', '/refunds', {}, 'paymentIntentId', other.paidIntentId],
        ['POST', '/refunds', {}, 'transactionId', other.captureId],
        ['POST', '/payment-routes/simulate', { ...intent, paymentMethod: 'card' }, 'customerId', other.customerId],
      ] as const) {
        const foreign = await send(method, path, { ...body, [field]: id });
        const unknown = await send(method, path, { ...body, [field]: unknownId(id) });
        assert.equal(foreign.status, 404, `${method} ${path}`);
        assert.equal(comparablePart(foreign, id), comparablePart(unknown, unknownId(id)), `${method} ${path} ${field}`);
      }
    }
  });

  it('do not let a socket resume after an event of the other one', async () => {
    for (const [own, other] of sides) {
      const url = `${getStack().sandbox.baseUrl.replace('http', 'ws')}${EVENTS_SOCKET_PATH}`;
      const frames = await Promise.all(
        [other.eventId, unknownId(other.eventId)].map(async (after) => {
          const client = await connectSocket(url);
          client.send({ type: 'subscribe', clientSecret: own.clientSecret, after });
          const received = [await client.next(), await client.next()];
          await client.close();
          return JSON.stringify(received).replaceAll(after, '');
        }),
      );
      assert.equal(frames[0], frames[1]);
      assert.ok(frames.every((text) => text.includes(own.openIntentId) && !text.includes(other.openIntentId)));
    }
  });

  describe('have limits of their own', () => {
    let api: ApiProcess;

    before(async () => {
      api = await startApi({});
    });
    after(() => api.stop());

    it('of 1,000 requests a minute in production and 100 in the sandbox', async () => {
      for (const [rows, environment, limit] of [
        [production, 'production', 1_000],
        [sandbox, 'sandbox', 100],
      ] as const) {
        const { credentials } = await createKey(rows.merchant, environment);
        const { headers } = await clientOf({ ...credentials, baseUrl: api.baseUrl })('GET', '/payment-intents');
        assert.equal(Number(headers.get('X-RateLimit-Limit')), limit);
        assert.equal(Number(headers.get('X-RateLimit-Remaining')), limit - 1);
      }
    });
  });
});

/** Collects every id that a merchant can read, and asserts that each environment field names the same environment. */
async function readEverything(rows: MerchantRows, environment: string): Promise<Set<string>> {
  const answers = await Promise.all(READS.filter(namesOwnOnly).map((endpoint) => readAll(endpoint, rows)));
  for (const answer of answers.flat()) {
    for (const [, said] of JSON.stringify(answer.body).matchAll(ENVIRONMENT)) assert.equal(said, environment);
  }
  return new Set(answers.flat().flatMap(idsIn));
}

/** The deliveries that `createRows` makes have ended. */
const FILTERS: Readonly<Record<string, string>> = { listWebhookEndpointDeliveries: '&status=delivered' };

/** The answer of a read, or every page of a list. */
async function readAll(endpoint: ApiOperation, rows: MerchantRows): Promise<readonly Answer[]> {
  const send = clientOf(rows.merchant.credentials);
  const path = pathOf(endpoint, parametersFor(endpoint, rows));
  if (!endpoint.isList) {
    const answer = await send('GET', path);
    assert.equal(answer.status, 200, `${nameOf(endpoint)}: ${JSON.stringify(answer.body)}`);
    return [answer];
  }
  const pages: Answer[] = [];
  for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
    const answer = await send('GET', `${path}?limit=100&page=${page}${FILTERS[endpoint.operationId] ?? ''}`);
    const { data, pagination } = listAnswer.parse(answer.body);
    assert.ok(data.length > 0, `${nameOf(endpoint)}: createRows (test/support/merchant-rows.ts) makes nothing to list`);
    ({ totalPages } = pagination);
    pages.push(answer);
  }
  return pages;
}

/** The request log repeats the request, with ids of other accounts. */
function namesOwnOnly({ path }: ApiOperation): boolean {
  return !path.startsWith('/requests');
}

function idsIn({ body }: Answer): readonly string[] {
  return JSON.stringify(body).match(ID) ?? [];
}

function prefixesOf(ids: ReadonlySet<string>): Set<string> {
  return new Set([...ids].map((id) => id.replace(/_.*/, '')).sort());
}

/** The filters of a list: what its query takes besides paging. */
function filtersOf({ query }: ApiOperation): readonly string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape).filter((name) => !PAGING.includes(name)) : [];
}

function isEmptyPage({ body }: Answer): boolean {
  const { data, pagination } = listAnswer.parse(body);
  return data.length === 0 && pagination.total === 0;
}

/** The part of an answer that does not repeat the request. */
function comparablePart(answer: Answer, asked: string): string {
  const { status, body } = answer;
  if (status === 200) return JSON.stringify({ status, body });
  const { requestId: _requestId, ...error } = failureOf(answer);
  return JSON.stringify({ status, error }).replaceAll(asked, '');
}

import assert from 'node:assert/strict';
import {
  type Client,
  createClient,
  iterate,
  PaymentEngineConnectionError,
  PaymentEngineError,
} from '../../../../sdk/server/index.ts';
import {
  type ScriptedReply,
  type ReceivedRequest,
  withScriptedHttpServer,
} from '../../../support/scripted-http-server.ts';

const SALT = 'salt_of_the_test';
const INTENT = 'pi_0197f3c29a4b7d1e8c5f60718293a4b5';
const DONE = { status: 200, body: { success: true, data: { id: INTENT } } };

function failure(status: number, code: string, headers: Record<string, string> = {}): ScriptedReply {
  const error = { code, message: 'As the test has it.', type: 'provider_error', requestId: 'req_1' };
  return { status, body: { success: false, error: { ...error, details: { paymentIntent: { id: INTENT } } } }, headers };
}

interface Course {
  readonly client: Client;
  readonly received: readonly ReceivedRequest[];
  readonly pausesMs: readonly number[];
}

function withClient(
  answers: readonly ScriptedReply[],
  use: (course: Course) => Promise<void>,
  credentials: { readonly signatureVersion?: 1 | 2 } = {},
): Promise<void> {
  const pausesMs: number[] = [];
  return withScriptedHttpServer(answers, (baseUrl, received) => {
    const pause = async (ms: number, signal: AbortSignal | undefined) => {
      pausesMs.push(ms);
      signal?.throwIfAborted();
    };
    return use({
      client: createClient({ baseUrl, apiKey: 'svc_test_k', secretSalt: SALT, pause, ...credentials }),
      received,
      pausesMs,
    });
  });
}

const keysOf = (received: readonly ReceivedRequest[]) => received.map(({ headers }) => headers['x-idempotency-key']);

describe('the server client', () => {
  it('fills in paths, queries and bodies', () =>
    withClient([DONE, DONE, DONE, DONE], async ({ client, received }) => {
      await client.paymentIntents.confirm(INTENT, {}, { respondAsync: true });
      await client.channelLimits.put('card', 'EUR', { minimumAmount: 50, maximumAmount: 100 });
      await client.paymentIntents.list({ limit: 5, currency: 'EUR', createdAfter: '2026-01-01T00:00:00+01:00' });
      await client.merchantAccounts.suspend('mer_a/../b');
      assert.deepEqual(
        received.map(({ method, url, body }) => [method, url, body]),
        [
          ['POST', `/api/v1/payment-intents/${INTENT}/confirm`, '{}'],
          ['PUT', '/api/v1/channel-limits/card/EUR', '{"minimumAmount":50,"maximumAmount":100}'],
          ['GET', '/api/v1/payment-intents?limit=5&currency=EUR&createdAfter=2026-01-01T00%3A00%3A00%2B01%3A00', ''],
          ['POST', '/api/v1/merchants/mer_a%2F..%2Fb/suspend', ''],
        ],
      );
      assert.deepEqual(
        received.map(({ headers }) => [headers.prefer, headers['x-idempotency-key'] !== undefined]),
        [
          ['respond-async', true],
          [undefined, false],
          [undefined, false],
          [undefined, true],
        ],
      );
    }));

  it('rejects at once what cannot be sent, such as a key that no header can have', () =>
    withClient([], async ({ client, received, pausesMs }) => {
      await assert.rejects(client.refunds.create({ paymentIntentId: INTENT }, { idempotencyKey: '注文-1' }), {
        name: 'TypeError',
        message: /X-Idempotency-Key in printable ASCII/,
      });
      for (const merchantId of ['mer_ñ注', 'mer_1\nx'])
        await assert.rejects(client.refunds.get('re_1', { merchantId }), {
          name: 'TypeError',
          message: /X-Merchant-ID/,
        });
      for (const baseUrl of ['payments.example', 'localhost:3000']) {
        const elsewhere = createClient({ baseUrl, apiKey: 'svc_test_k', secretSalt: SALT });
        await assert.rejects(elsewhere.customers.get('cus_1'), { name: 'TypeError', message: /baseUrl/ });
      }
      assert.deepEqual([received, pausesMs], [[], []]);
    }));

  it('uses a new key for each call, or the given one', () =>
    withClient([DONE, DONE, DONE], async ({ client, received }) => {
      await client.refunds.create({ paymentIntentId: INTENT });
      await client.refunds.create({ paymentIntentId: INTENT });
      await client.refunds.create({ paymentIntentId: INTENT }, { idempotencyKey: 'order-7' });
      const [first, second, third] = keysOf(received);
      assert.notEqual(first, second);
      assert.equal(third, 'order-7');
    }));

  it('throws typed errors, and does not repeat rejected requests', () =>
    withClient([failure(400, 'CARD_DECLINED')], async ({ client, received }) => {
      const thrown: unknown = await client.paymentIntents.confirm(INTENT).catch((error: unknown) => error);
      assert.ok(thrown instanceof PaymentEngineError);
      const { code, type, status, requestId, paymentIntent } = thrown;
      assert.deepEqual([code, type, status, requestId], ['CARD_DECLINED', 'provider_error', 400, 'req_1']);
      assert.equal(paymentIntent?.id, INTENT);
      assert.equal(received.length, 1);
    }));

  it('says where the server redirects to', () =>
    withClient([{ status: 301, body: '', headers: { Location: 'https://engine.example/' } }], async ({ client }) => {
      await assert.rejects(
        client.paymentIntents.get(INTENT),
        /redirects to https:\/\/engine\.example\/\. Expected a baseUrl/,
      );
    }));

  it('ends a try at its timeout', () =>
    withClient(['silence', 'silence', 'silence', 'silence'], async ({ client, pausesMs }) => {
      await assert.rejects(client.paymentIntents.get(INTENT, { timeoutMs: 50 }), PaymentEngineConnectionError);
      assert.equal(pausesMs.length, 3);
    }));

  it('stops when it is aborted', () =>
    withClient(['silence'], async ({ client }) => {
      const signal = AbortSignal.timeout(50);
      await assert.rejects(client.paymentIntents.get(INTENT, { signal }), { name: 'TimeoutError' });
    }));
});

describe('lists of the server client', () => {
  const page = (ids: readonly string[], pagination: object): ScriptedReply => ({
    status: 200,
    body: { success: true, data: ids.map((id) => ({ id })), pagination: { limit: 2, ...pagination } },
  });

  it('are returned in pages', () =>
    withClient([page(['a'], { page: 3, total: 5, totalPages: 3 })], async ({ client }) => {
      const { data, pagination } = await client.customers.list({ page: 3, limit: 2 });
      assert.deepEqual([data.map(({ id }) => id), pagination.total], [['a'], 5]);
    }));

  for (const [change, remaining] of [
    ['captures', [0, 1, 2, 3, 4]],
    ['deletes', []],
  ] as const) {
    it(`are iterated whole by a loop that ${change} each element`, async () => {
      let held = [4, 3, 2, 1, 0];
      let existing = [...held];
      const read = (startingAfter?: string) => {
        const place = Number(startingAfter ?? Infinity);
        if (startingAfter !== undefined && !existing.includes(place)) assert.fail(`${startingAfter} does not exist`);
        const data = held.filter((each) => each < place).slice(0, 2);
        const pagination = { page: 1, limit: 2, total: held.length, totalPages: 1 };
        return Promise.resolve({ data: data.map((each) => ({ id: String(each) })), pagination });
      };
      const found: number[] = [];
      for await (const { id } of iterate(read)) {
        found.push(Number(id));
        held = held.filter((each) => each !== Number(id));
        if (change === 'deletes') existing = held;
      }
      assert.deepEqual(found, [4, 3, 2, 1, 0]);
      assert.deepEqual(existing.sort(), remaining);
    });
  }

  it('are read no further than requested', () =>
    withClient([page(['b', 'a'], { page: 1, total: 9, totalPages: 5 })], async ({ client, received }) => {
      for await (const { id } of client.refunds.iterate()) {
        assert.equal(id, 'b');
        break;
      }
      assert.equal(received.length, 1);
    }));
});

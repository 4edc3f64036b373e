import assert from 'node:assert/strict';
import type { Answer, Call, Outcome, ReceivedRequest, Scenario } from './scenario.ts';

const INTENT = 'pi_0197f3c29a4b7d1e8c5f60718293a4b5';
const LARGEST_PAGE = 100;
/** More than 32 bits, and the largest whole number that every client has to keep. */
const LARGE_AMOUNTS = [99_999_999_999, Number.MAX_SAFE_INTEGER] as const;

const READ: Call = { operation: 'getPaymentIntent', path: [INTENT] };
const CREATE: Call = { operation: 'createPaymentIntent', body: { amount: 1999, currency: 'EUR' } };
const CONFIRM: Call = { operation: 'confirmPaymentIntent', path: [INTENT], body: {} };
const REFUND: Call = { operation: 'createRefund', body: { paymentIntentId: INTENT, amount: 500 } };
const LIST: Call = { operation: 'listPaymentIntents' };

const DONE = success({ id: INTENT, amount: 1999, status: 'succeeded' });
const IS_DONE: Outcome = { kind: 'result', data: { id: INTENT, amount: 1999, status: 'succeeded' } };
const NO_ANSWER: Outcome = { kind: 'connection_error' };

function success(data: unknown): Answer {
  return { status: 200, body: { success: true, data } };
}

function failure(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const details = { paymentIntent: { id: INTENT, status: 'requires_payment_method' } };
  const error = { code, message: 'As the scenario has it.', type: 'payment_error', requestId: 'req_1', details };
  return { status, body: { success: false, error }, headers };
}

function engineError(status: number, code: string): Outcome {
  return { kind: 'engine_error', code, status, requestId: 'req_1', paymentIntentId: INTENT };
}

function pageOf(ids: readonly string[], limit: number): Answer {
  const pagination = { page: 1, limit, total: 1_001, totalPages: 11, totalIsEstimate: false };
  return { status: 200, body: { success: true, data: ids.map((id) => ({ id })), pagination } };
}

function pagesOf(ids: readonly string[]): readonly Answer[] {
  const count = Math.ceil(ids.length / LARGEST_PAGE);
  return Array.from({ length: count }, (_, index) =>
    pageOf(ids.slice(index * LARGEST_PAGE, (index + 1) * LARGEST_PAGE), LARGEST_PAGE),
  );
}

function jsonOf({ body }: ReceivedRequest): unknown {
  return JSON.parse(body.toString());
}

function parametersOf({ target }: ReceivedRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(target, 'http://localhost').searchParams);
}

function only(received: readonly ReceivedRequest[]): ReceivedRequest {
  const [request] = received;
  assert.ok(request !== undefined && received.length === 1, `${received.length} requests instead of 1`);
  return request;
}

const THOUSAND_AND_ONE = Array.from({ length: 1_001 }, (_, index) => `pi_${index}`);

/** What is sent. */
const REQUESTS: readonly Scenario[] = [
  { title: 'signs with version 2 unless told otherwise', call: CREATE, answers: [DONE], outcome: IS_DONE },
  {
    title: 'signs with version 1 if told to',
    client: { signatureVersion: 1 },
    call: CREATE,
    answers: [DONE],
    outcome: IS_DONE,
  },
  {
    title: 'signs a request without a body with version 1',
    client: { signatureVersion: 1 },
    call: READ,
    answers: [DONE],
    outcome: IS_DONE,
  },
  {
    title: 'signs text beyond ASCII byte for byte',
    call: { ...CREATE, body: { ...CREATE.body, description: 'Lampe für draußen 🪔 ₹' } },
    answers: [DONE],
    outcome: IS_DONE,
    judge: (received) =>
      assert.deepEqual(jsonOf(only(received)), {
        amount: 1999,
        currency: 'EUR',
        description: 'Lampe für draußen 🪔 ₹',
      }),
  },
  {
    title: 'acts for the merchant account of the call, and keeps the given idempotency key',
    client: { merchantId: 'mer_of_the_client' },
    call: { ...REFUND, options: { merchantId: 'mer_of_the_call', idempotencyKey: 'refund-1042' } },
    answers: [DONE],
    outcome: IS_DONE,
    judge: (received) => {
      const { headers } = only(received);
      assert.equal(headers['x-merchant-id'], 'mer_of_the_call');
      assert.equal(headers['x-idempotency-key'], 'refund-1042');
    },
  },
  {
    title: 'asks for an answer at once',
    call: { ...CONFIRM, options: { respondAsync: true } },
    answers: [DONE],
    outcome: IS_DONE,
    judge: (received) => assert.equal(only(received).headers.prefer, 'respond-async'),
  },
  {
    title: 'writes an id into the path so that it stays one part of it',
    call: { operation: 'suspendMerchantAccount', path: ['mer_a/../b'] },
    answers: [success({ id: 'mer_a' })],
    outcome: { kind: 'result', data: { id: 'mer_a' } },
    judge: (received) => assert.equal(only(received).target, '/api/v1/merchants/mer_a%2F..%2Fb/suspend'),
  },
  {
    title: 'refuses a missing id, for the request would be another one',
    call: { operation: 'getPaymentIntent', path: [''] },
    answers: [],
    outcome: { kind: 'usage_error' },
  },
  {
    title: 'filters by each pair of metadata',
    call: { ...LIST, query: { limit: 5, metadata: { order: 'A&1', channel: 'web' } } },
    answers: [pageOf([INTENT], 5)],
    outcome: { kind: 'items', ids: [INTENT] },
    judge: (received) =>
      assert.deepEqual(parametersOf(only(received)), {
        limit: '5',
        'metadata[order]': 'A&1',
        'metadata[channel]': 'web',
      }),
  },
  {
    title: 'tells a member that is null from one that is absent',
    call: { operation: 'updatePaymentIntent', path: [INTENT], body: { description: null } },
    answers: [DONE],
    outcome: IS_DONE,
    judge: (received) => assert.deepEqual(jsonOf(only(received)), { description: null }),
  },
];

/** What is understood. */
const ANSWERS: readonly Scenario[] = [
  ...LARGE_AMOUNTS.map((amount): Scenario => ({
    title: `sends and reads ${amount} without loss`,
    call: { ...CREATE, body: { amount, currency: 'EUR' } },
    answers: [success({ id: INTENT, amount, status: 'succeeded' })],
    outcome: { kind: 'result', data: { id: INTENT, amount, status: 'succeeded' } },
    judge: (received) => assert.deepEqual(jsonOf(only(received)), { amount, currency: 'EUR' }),
  })),
  {
    title: 'reads members and values that the engine adds later',
    call: READ,
    answers: [success({ id: INTENT, amount: 1999, status: 'a_new_status', aNewMember: { deep: [1] } })],
    outcome: { kind: 'result', data: { id: INTENT, amount: 1999, status: 'a_new_status' } },
  },
  {
    title: 'reports a refusal with its code, and does not repeat it',
    call: CONFIRM,
    answers: [failure(400, 'CARD_DECLINED')],
    outcome: engineError(400, 'CARD_DECLINED'),
  },
  {
    title: 'reports a code that the engine adds later',
    call: CONFIRM,
    answers: [failure(422, 'A_NEW_CODE')],
    outcome: engineError(422, 'A_NEW_CODE'),
  },
  {
    title: 'takes the refusal of a proxy for no answer of the engine, and does not repeat it',
    call: REFUND,
    answers: [{ status: 403, body: '<html>Forbidden</html>' }],
    outcome: NO_ANSWER,
  },
  {
    title: 'does not follow a redirect, which would take the signed request elsewhere',
    call: REFUND,
    answers: [{ status: 307, body: '', headers: { Location: '/elsewhere' } }],
    outcome: NO_ANSWER,
  },
];

/** What is repeated, and when. */
const REPEATS: readonly Scenario[] = [
  {
    title: 'repeats after 1, 2 and 4 seconds whatever may have got lost, under one idempotency key',
    call: REFUND,
    answers: [failure(500, 'INTERNAL_ERROR'), 'reset', { status: 503, body: '<html>' }, DONE],
    outcome: IS_DONE,
    pausesMs: [1_000, 2_000, 4_000],
  },
  {
    title: 'repeats under the key that it was given',
    call: { ...REFUND, options: { idempotencyKey: 'refund-7' } },
    answers: ['truncated', DONE],
    outcome: IS_DONE,
    pausesMs: [1_000],
    judge: (received) =>
      assert.deepEqual(
        received.map(({ headers }) => headers['x-idempotency-key']),
        ['refund-7', 'refund-7'],
      ),
  },
  {
    title: 'repeats an answer that is no JSON of the engine',
    call: CREATE,
    answers: [{ status: 200, body: '{"success": tr' }, { status: 200, body: { id: INTENT } }, DONE],
    outcome: IS_DONE,
    pausesMs: [1_000, 2_000],
  },
  {
    title: 'repeats an answer that is nested too deep to be read',
    call: READ,
    answers: [{ status: 200, body: '['.repeat(100_000) }, DONE],
    outcome: IS_DONE,
    pausesMs: [1_000],
  },
  {
    title: 'gives a try up at its timeout',
    client: { timeoutMs: 300 },
    call: READ,
    answers: ['silent', DONE],
    outcome: IS_DONE,
    pausesMs: [1_000],
  },
  {
    title: 'waits as long as the engine asks for, and at most a minute',
    call: READ,
    answers: [
      failure(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '9' }),
      failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '3600' }),
      failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': 'soon' }),
      DONE,
    ],
    outcome: IS_DONE,
    pausesMs: [9_000, 60_000, 4_000],
  },
  {
    title: 'repeats a request whose first try still runs',
    call: CREATE,
    answers: [failure(409, 'DUPLICATE_REQUEST', { 'Retry-After': '2' }), DONE],
    outcome: IS_DONE,
    pausesMs: [2_000],
  },
  {
    title: 'does not repeat a request that has the key of another one',
    call: CREATE,
    answers: [failure(409, 'DUPLICATE_REQUEST')],
    outcome: engineError(409, 'DUPLICATE_REQUEST'),
  },
  {
    title: 'gives up after four tries without an answer',
    call: REFUND,
    answers: ['reset', 'reset', 'reset', 'reset'],
    outcome: NO_ANSWER,
    pausesMs: [1_000, 2_000, 4_000],
  },
  {
    title: 'gives up after four failures with the last one',
    call: REFUND,
    answers: [
      failure(502, 'TSP_TIMEOUT'),
      failure(502, 'TSP_UNAVAILABLE'),
      failure(500, 'INTERNAL_ERROR'),
      failure(502, 'TSP_TIMEOUT'),
    ],
    outcome: engineError(502, 'TSP_TIMEOUT'),
    pausesMs: [1_000, 2_000, 4_000],
  },
];

/** Lists of any length. */
const LISTS: readonly Scenario[] = [
  {
    title: 'gives one page of a list',
    call: { ...LIST, query: { limit: 2 } },
    answers: [pageOf(['pi_1', 'pi_2'], 2)],
    outcome: { kind: 'items', ids: ['pi_1', 'pi_2'] },
  },
  {
    title: 'reads 1,001 elements, each page after the last element of the one before',
    call: { ...LIST, query: { status: 'succeeded' }, iterate: true },
    answers: pagesOf(THOUSAND_AND_ONE),
    outcome: { kind: 'items', ids: THOUSAND_AND_ONE },
    judge: (received) => {
      const places = received.map(parametersOf);
      const lastIds = Array.from({ length: 10 }, (_, index) => `pi_${index * LARGEST_PAGE + LARGEST_PAGE - 1}`);
      assert.deepEqual(
        places.map(({ startingAfter }) => startingAfter),
        [undefined, ...lastIds],
      );
      assert.ok(places.every(({ limit, status }) => limit === '100' && status === 'succeeded'));
    },
  },
  {
    title: 'ends a list at an empty page',
    call: { ...LIST, query: { limit: 2 }, iterate: true },
    answers: [pageOf(['pi_1', 'pi_2'], 2), pageOf([], 2)],
    outcome: { kind: 'items', ids: ['pi_1', 'pi_2'] },
  },
  {
    title: 'repeats a page of a list that got lost, and goes on',
    call: { ...LIST, query: { limit: 1 }, iterate: true },
    // The connection of the page before is used again, and whoever repeats a lost request has to sign it anew.
    answers: [pageOf(['pi_1'], 1), 'reset', 'truncated', pageOf(['pi_2'], 1), pageOf([], 1)],
    outcome: { kind: 'items', ids: ['pi_1', 'pi_2'] },
    pausesMs: [1_000, 2_000],
  },
];

export const SCENARIOS: readonly Scenario[] = [...REQUESTS, ...ANSWERS, ...REPEATS, ...LISTS];

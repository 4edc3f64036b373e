import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { isTerminal } from '../../domain/payment-state.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { failureOf, type Intent, intentInFailure, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, readLedger, settle } from '../support/ledger.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card, upi } from '../../sandbox/test-payment-methods.ts';
import type { Answer } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { type Frame, describeFrame, watch } from '../support/socket-watch.ts';

interface Scenario {
  readonly title: string;
  readonly terms?: object;
  readonly method: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The response to the confirm: the state, or the error code. */
  readonly answers: readonly [status: number, stateOrCode: string, laterState?: string];
  readonly details?: object;
  /** Steps after the response to the confirm. */
  readonly then?: (payment: Payment, confirmed: Answer) => Promise<unknown>;
  /** The final fields of the intent; `attempts`, if given, are all of its attempts. */
  readonly ends: { readonly status: Intent['status'] } & Readonly<Record<string, unknown>>;
  readonly frames: readonly string[];
  /** Every charge in the simulators' ledgers. */
  readonly charges: readonly string[];
  readonly transactions?: readonly string[];
}

const INDIA = { amount: 5_000, currency: 'INR', country: 'IN' };
const MANUAL = { captureMethod: 'manual' };
const LIMITS = { currency: 'USD', paymentMethod: 'card', minimumAmount: 50, maximumAmount: 99_999_999 };

const APPROVED = {
  answers: [200, 'succeeded'],
  ends: { status: 'succeeded', provider: 'alpha', amountCaptured: 1_999, lastError: null, nextAction: null },
  frames: ['payment-processing', 'payment-succeeded, terminal'],
  charges: ['alpha capture 1999'],
  transactions: ['capture 1999'],
} as const;

const declined = (code: string) =>
  ({
    answers: [400, code],
    ends: {
      status: 'requires_payment_method',
      amountCaptured: 0,
      lastError: { code },
      attempts: { 0: { outcome: 'declined', code } },
    },
    frames: ['payment-processing', `payment-failed ${code}`],
    charges: [],
  }) as const;

/** Refused before any provider is called: the intent stays unchanged. */
const untouched = { status: 'requires_payment_method', attempts: {}, lastError: null, paymentMethod: null } as const;

const SCENARIOS: readonly Scenario[] = [
  { title: 'an approved card', method: card('approved'), ...APPROVED },
  { title: 'a declined card', method: card('declined'), ...declined('CARD_DECLINED') },
  { title: 'a card without funds', method: card('insufficientFunds'), ...declined('INSUFFICIENT_FUNDS') },
  {
    title: 'a suspicious card',
    method: card('fraud'),
    answers: [400, 'FRAUD_DETECTED'],
    ends: { status: 'failed', lastError: { code: 'FRAUD_DETECTED' }, attempts: { 0: { outcome: 'failed' } } },
    frames: ['payment-processing', 'payment-failed PAYMENT_DECLINED, terminal'],
    charges: [],
  },
  {
    title: 'a card that alpha cannot take',
    ...APPROVED,
    method: card('failover'),
    // Alpha is tried for seven seconds; on a busy machine that may become longer than the request waits.
    answers: [200, 'processing', 'succeeded'],
    ends: {
      status: 'succeeded',
      provider: 'beta',
      attempts: {
        0: { provider: 'alpha', tries: 4, outcome: 'not_charged' },
        1: { provider: 'beta', outcome: 'approved', code: null },
      },
    },
    charges: ['beta capture 1999'],
  },
  {
    title: 'a charge whose reply is lost',
    ...APPROVED,
    method: card('lostReply'),
    headers: PREFER_ASYNC,
    answers: [200, 'processing'],
    then: assertChargedOnce,
    ends: { ...APPROVED.ends, attempts: { 0: { provider: 'alpha', tries: 4, outcome: 'approved', code: null } } },
  },
  {
    title: 'an answer in no known shape',
    method: card('unknownShape'),
    answers: [400, 'PROVIDER_VALIDATION_ERROR'],
    details: { providerResponse: { status: 422, body: { fault: { kind: 'E-7731' } } } },
    ends: {
      status: 'requires_payment_method',
      lastError: { code: 'PROVIDER_VALIDATION_ERROR', details: { providerResponse: { status: 422 } } },
      attempts: { 0: { outcome: 'not_charged', code: 'PROVIDER_VALIDATION_ERROR' } },
    },
    frames: ['payment-processing', 'payment-failed PROVIDER_VALIDATION_ERROR'],
    charges: [],
  },
  {
    title: 'a UPI payment that the customer approves',
    terms: INDIA,
    method: upi('success'),
    // The simulated customer acts after a second; on a busy machine the response may take that long too.
    answers: [200, 'requires_action', 'succeeded'],
    ends: { status: 'succeeded', paymentMethod: { type: 'upi', vpa: 's*****s@upi' }, nextAction: null },
    frames: ['payment-processing', 'payment-requires-action', 'payment-succeeded, terminal'],
    charges: ['alpha capture 5000'],
    transactions: ['capture 5000'],
  },
  { title: 'a UPI payment that is refused', terms: INDIA, method: upi('decline'), ...declined('PAYMENT_DECLINED') },
  {
    title: 'a UPI payment that is approved in the end',
    terms: INDIA,
    method: upi('pending'),
    answers: [200, 'requires_action'],
    then: ({ id }) => settle('alpha', id, 'approved'),
    ends: { status: 'succeeded', amountCaptured: 5_000 },
    frames: ['payment-processing', 'payment-requires-action', 'payment-succeeded, terminal'],
    charges: ['alpha capture 5000'],
    transactions: ['capture 5000'],
  },
  {
    title: 'a UPI payment that the provider reports as failed',
    terms: INDIA,
    method: upi('pending'),
    answers: [200, 'requires_action'],
    then: ({ id }) => settle('alpha', id, 'failed'),
    ends: {
      status: 'failed',
      lastError: {
        code: 'TSP_PAYMENT_FAILED',
        details: { providerResponse: { status: 'failed', failureReason: 'processing_failed' } },
      },
    },
    frames: ['payment-processing', 'payment-requires-action', 'payment-failed TSP_PAYMENT_FAILED, terminal'],
    charges: [],
  },
  {
    title: 'a UPI payment that is canceled while the customer is asked',
    terms: INDIA,
    method: upi('expire'),
    answers: [200, 'requires_action'],
    then: async (payment) => assert.equal(intentOf(await payment.cancel()).status, 'canceled'),
    ends: { status: 'canceled', cancellationReason: 'requested_by_customer', nextAction: null },
    frames: ['payment-processing', 'payment-requires-action', 'payment-canceled, terminal'],
    charges: [],
  },
  {
    title: '3-D Secure, approved',
    terms: { returnUrl: 'https://shop.example/back?order=7' },
    method: card('threeDSecure'),
    answers: [200, 'requires_action'],
    then: (_payment, confirmed) => decideOnPage(confirmed, 'approve'),
    ends: { status: 'succeeded', nextAction: null, amountCaptured: 1_999 },
    frames: ['payment-processing', 'payment-requires-action', 'payment-succeeded, terminal'],
    charges: ['alpha capture 1999'],
    transactions: ['capture 1999'],
  },
  {
    title: '3-D Secure, refused',
    terms: { returnUrl: 'https://shop.example/back?order=7' },
    method: card('threeDSecure'),
    answers: [200, 'requires_action'],
    then: (_payment, confirmed) => decideOnPage(confirmed, 'refuse'),
    ends: { status: 'requires_payment_method', lastError: { code: 'CARD_DECLINED' }, nextAction: null },
    frames: ['payment-processing', 'payment-requires-action', 'payment-failed CARD_DECLINED'],
    charges: [],
  },
  {
    title: 'a manual capture that is voided',
    terms: MANUAL,
    method: card('approved'),
    answers: [200, 'requires_capture'],
    then: async (payment, confirmed) => {
      assertContains(intentOf(confirmed), { amountCapturable: 1_999, amountCaptured: 0 });
      assert.equal(intentOf(await payment.cancel()).status, 'canceled');
    },
    ends: { status: 'canceled', amountCapturable: 0, amountCaptured: 0 },
    frames: ['payment-processing', 'payment-amount-capturable', 'payment-canceled, terminal'],
    charges: ['alpha authorization 1999', 'alpha void 1999'],
    transactions: ['authorization 1999', 'void 1999'],
  },
  {
    title: 'a cancel while the provider is silent',
    method: card('silent'),
    headers: PREFER_ASYNC,
    answers: [200, 'processing'],
    then: cancelWhileSilent,
    ends: { status: 'canceled', attempts: { 0: { outcome: 'canceled' } } },
    frames: ['payment-processing', 'payment-canceled, terminal'],
    charges: [],
  },
  {
    title: 'a country without a provider',
    terms: { country: 'AQ' },
    method: card('approved'),
    answers: [400, 'UNSUPPORTED_REGION'],
    ends: untouched,
    frames: ['payment-failed UNSUPPORTED_REGION'],
    charges: [],
  },
  {
    title: 'a currency without a route',
    terms: { currency: 'ISK', country: 'IS' },
    method: card('approved'),
    answers: [503, 'NO_TSP_AVAILABLE'],
    ends: untouched,
    frames: ['payment-failed NO_TSP_AVAILABLE'],
    charges: [],
  },
  {
    title: 'an amount below the minimum',
    terms: { amount: 49 },
    method: card('approved'),
    answers: [422, 'CHANNEL_LIMIT_MIN_EXCEEDED'],
    details: { amount: 49, ...LIMITS },
    ends: untouched,
    frames: ['payment-failed CHANNEL_LIMIT_MIN_EXCEEDED'],
    charges: [],
  },
  {
    title: 'an amount above the maximum',
    terms: { amount: 100_000_000 },
    method: card('approved'),
    answers: [422, 'CHANNEL_LIMIT_MAX_EXCEEDED'],
    details: { amount: 100_000_000, ...LIMITS },
    ends: untouched,
    frames: ['payment-failed CHANNEL_LIMIT_MAX_EXCEEDED'],
    charges: [],
  },
  {
    title: 'a method that is not offered',
    method: { type: 'cheque' },
    answers: [422, 'INVALID_PAYMENT_METHOD'],
    ends: untouched,
    frames: [],
    charges: [],
  },
];

interface Outcome {
  readonly confirmed: Answer;
  readonly intent: Intent;
  readonly live: readonly Frame[];
  /** The frames of a client that resumes after the first live frame. */
  readonly resumed: readonly Frame[];
  /** Ids of all events for sockets that were written after the subscription. */
  readonly written: readonly string[];
  readonly charges: readonly string[];
  readonly transactions: readonly string[];
}

/** Runs a payment through its scenario, with a client that watches it from the start and one that resumes later. */
async function runScenario({ terms = {}, method, headers = {}, then, ends, frames }: Scenario): Promise<Outcome> {
  const payment = await createPayment(terms);
  const { clientSecret } = payment.created;
  const page = await watch(clientSecret);
  assert.equal(page.status, 'requires_payment_method');
  const confirmed = await payment.confirm(method, headers);
  await then?.(payment, confirmed);
  const live = [...(await page.take(frames.length))];
  const intent = await payment.reach(ends.status);
  const charges = await chargesOf(payment.id);

  const returning = await watch(clientSecret, live[0]?.id);
  const resumed = [...(await returning.take(Math.max(frames.length - 1, 0)))];
  if (!isTerminal(intent.status)) {
    await payment.cancel();
    live.push(...(await page.take(1)));
    resumed.push(...(await returning.take(1)));
  }
  await Promise.all([page.end(), returning.end()]);
  const written = await queryStack<{ id: string }>(
    `SELECT id FROM event WHERE payment_intent_id = $1
       AND type NOT IN ('payment_intent.created', 'transaction.created') ORDER BY position`,
    [payment.id],
  );
  const transactions = await queryStack<{ line: string }>(
    `SELECT type || ' ' || amount_minor AS line FROM transaction WHERE payment_intent_id = $1 ORDER BY id`,
    [payment.id],
  );
  return {
    confirmed,
    intent,
    live,
    resumed,
    written: written.map(({ id }) => id),
    charges,
    transactions: transactions.map(({ line }) => line),
  };
}

async function assertChargedOnce(payment: Payment): Promise<void> {
  await payment.reach('succeeded');
  const entries = await readLedger('alpha', payment.id);
  assert.equal(entries.length, 1);
  assertContains(entries[0], { requests: 4, payment: { status: 'captured' } });
  assert.deepEqual(await readLedger('beta', payment.id), []);
}

async function cancelWhileSilent(payment: Payment): Promise<void> {
  await eventually(async () =>
    assertContains(await readLedger('alpha', payment.id), { 0: { payment: { status: 'pending' } } }),
  );
  assert.equal(intentOf(await payment.cancel()).status, 'canceled');
  assertContains(await readLedger('alpha', payment.id), { 0: { payment: { status: 'voided' } } });
}

/** Sends the customer's decision on the 3-D Secure page. */
async function decideOnPage(confirmed: Answer, decision: 'approve' | 'refuse'): Promise<void> {
  const { id, nextAction } = intentOf(confirmed);
  assert.equal(nextAction?.type, 'redirect');
  const page = await fetch(nextAction.url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<form[^>]+method="post"/i);
  const body = new URLSearchParams({ decision });
  const answer = await fetch(nextAction.url, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `https://shop.example/back?order=7&paymentIntentId=${id}`);
}

describe('the outcome of', function () {
  this.timeout(4 * MINUTE_MS);
  const outcomes = new Map<Scenario, Promise<Outcome>>();
  const outcomeOf = async (scenario: Scenario): Promise<Outcome> => {
    const outcome = await outcomes.get(scenario);
    assert.ok(outcome);
    return outcome;
  };

  before('run all scenarios concurrently', async () => {
    for (const scenario of SCENARIOS) outcomes.set(scenario, runScenario(scenario));
    await Promise.allSettled(outcomes.values());
  });

  for (const scenario of SCENARIOS) {
    describe(scenario.title, () => {
      it('is answered over REST', async () => {
        const { confirmed, intent } = await outcomeOf(scenario);
        const [status, stateOrCode, laterState = stateOrCode] = scenario.answers;
        assert.equal(confirmed.status, status, JSON.stringify(confirmed.body));
        if (status === 200) assert.ok([stateOrCode, laterState].includes(intentOf(confirmed).status));
        else assertFailure(confirmed, stateOrCode, scenario);
        assertContains(intent, scenario.ends);
        const { attempts = intent.attempts } = scenario.ends;
        assert.equal(intent.attempts.length, Object.keys(attempts ?? {}).length);
        assert.equal(intent.amountCaptured, sumOf(scenario.charges.filter((charge) => charge.includes('capture'))));
      });

      it('is sent to the socket in order, without a gap or a repetition', async () => {
        const { live, resumed, written } = await outcomeOf(scenario);
        const last = scenario.ends.status === 'requires_payment_method' ? ['payment-canceled, terminal'] : [];
        assert.deepEqual(live.map(describeFrame), [...scenario.frames, ...last]);
        assert.deepEqual(
          live.map(({ id }) => id),
          written,
        );
        assert.deepEqual(resumed, scenario.frames.length === 0 ? live : live.slice(1));
        const sequences = live.map(({ sequence }) => sequence);
        assert.deepEqual(
          sequences,
          sequences.toSorted((a, b) => a - b),
        );
      });

      it('matches the ledgers of the simulators', async () => {
        const { charges, transactions } = await outcomeOf(scenario);
        assert.deepEqual(charges, scenario.charges);
        assert.deepEqual(transactions, scenario.transactions ?? []);
      });
    });
  }
});

function assertFailure(confirmed: Answer, code: string, { ends, details }: Scenario): void {
  const failure = failureOf(confirmed);
  assert.equal(failure.code, code);
  if (details !== undefined) assertContains(failure.details, details);
  if (code.startsWith('CHANNEL_LIMIT_')) assert.equal(failure.type, 'validation_error');
  if (code === 'INVALID_PAYMENT_METHOD') return;
  const names = ['NO_TSP_AVAILABLE', 'UNSUPPORTED_REGION'].includes(code)
    ? ['passedOver', 'paymentIntent']
    : ['paymentIntent'];
  // A decline says what to do about it besides.
  const members = Object.keys(failure.details ?? {}).filter((name) => !['advice', 'networkCode'].includes(name));
  if (details === undefined) assert.deepEqual(members.sort(), names);
  assertContains(intentInFailure(confirmed), ends);
}

function sumOf(charges: readonly string[]): number {
  return charges.reduce((sum, charge) => sum + Number(charge.split(' ').at(-1)), 0);
}

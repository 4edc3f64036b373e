import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { ALL_SCOPES, SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { assertContains } from '../support/assert-contains.ts';
import { eventually } from '../support/eventually.ts';
import { assertRefused, type Intent, intentOf } from '../support/envelopes.ts';
import { chargesOf, readLedger, settle } from '../support/ledger.ts';
import { createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { clientOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card, upi } from '../../sandbox/test-payment-methods.ts';
import { type Frame, describeFrame, watch } from '../support/socket-watch.ts';

interface Stuck {
  readonly payment: Payment;
  readonly whileStuck: Intent;
  readonly settled: Intent;
  readonly frames: readonly Frame[];
}

interface Resolved {
  readonly payment: Payment;
  /** The answers of the API to each request of support staff. */
  readonly answers: readonly Answer[];
  readonly intent: Intent;
}

interface Expired {
  readonly payment: Payment;
  readonly intent: Intent;
  readonly frames: readonly Frame[];
}

const EXPIRY = { expiresInSeconds: 60 };

let merchant: TestMerchant;
let credentials: TestMerchant['credentials'];
let stuck: Promise<Stuck>;
let resolved: Promise<Resolved>;
let expiredIdle: Promise<Expired>;
let expiredWaiting: Promise<Expired>;

before('start the slow payments, which run during the other tests', async () => {
  // An account of their own: another test advances the test clock of the sandbox's account, and with it its open payments.
  merchant = await createMerchant();
  ({ credentials } = merchant);
  stuck = startStuckPayment();
  resolved = startResolvedPayment();
  expiredIdle = expire(EXPIRY);
  expiredWaiting = expire({ ...EXPIRY, amount: 5_000, currency: 'INR', country: 'IN' }, upi('expire'));
  for (const outcome of [stuck, resolved, expiredIdle, expiredWaiting]) outcome.catch(() => undefined);
});

/** A provider that accepts a payment and reports no outcome until it gets a settlement instruction. */
async function startStuckPayment(): Promise<Stuck> {
  const payment = await createPayment({}, credentials);
  const page = await watch(payment.created.clientSecret);
  assert.equal(intentOf(await payment.confirm(card('silent'), PREFER_ASYNC)).status, 'processing');
  const early = await page.take(2);
  const whileStuck = await payment.read();
  await settle('alpha', payment.id, 'approved');
  const late = await page.take(1);
  const settled = await payment.reach('succeeded');
  await page.end();
  return { payment, whileStuck, settled, frames: [...early, ...late] };
}

/** A stuck payment that a merchant's support staff, with two keys, end by hand. */
async function startResolvedPayment(): Promise<Resolved> {
  const payment = await createPayment({}, credentials);
  assert.equal(intentOf(await payment.confirm(card('silent'), PREFER_ASYNC)).status, 'processing');
  await eventually(async () => assert.notEqual((await payment.read()).advisory, null), STUCK_AFTER_MS + MINUTE_MS);
  const scopes = [...ALL_SCOPES, SUPPORT_SCOPE];
  const people = await Promise.all([1, 2].map(() => createKey(merchant, 'sandbox', { scopes })));
  const path = `/payment-intents/${payment.id}`;
  const body = { outcome: 'not_charged', note: 'Not in their ledger' };
  const answers: Answer[] = [];
  for (const [who, where, what] of [
    [credentials, 'resolve-by-hand', body],
    [people[0]?.credentials, 'ask-provider', {}],
    [people[0]?.credentials, 'resolve-by-hand', body],
    [people[0]?.credentials, 'resolve-by-hand', body],
    [people[1]?.credentials, 'resolve-by-hand', body],
  ] as const) {
    answers.push(await clientOf(who ?? credentials)('POST', `${path}/${where}`, what));
  }
  return { payment, answers, intent: await payment.reach('canceled') };
}

async function expire(terms: object, method?: object): Promise<Expired> {
  const payment = await createPayment(terms, credentials);
  const page = await watch(payment.created.clientSecret);
  if (method !== undefined) assert.equal(intentOf(await payment.confirm(method)).status, 'requires_action');
  const frames = await page.take(method === undefined ? 1 : 3);
  const intent = await payment.reach('expired');
  await page.end();
  return { payment, intent, frames };
}

describe('a payment without an outcome for 90 seconds', function () {
  this.timeout(4 * MINUTE_MS);

  it('has an advisory and stays in processing', async () => {
    const { whileStuck } = await stuck;
    assertContains(whileStuck, { status: 'processing', advisory: { code: 'PAYMENT_STUCK' }, lastError: null });
  });

  it('notifies the socket once, with a frame that is not terminal', async () => {
    const { frames, whileStuck } = await stuck;
    assert.deepEqual(frames.map(describeFrame), [
      'payment-processing',
      'payment-failed PAYMENT_STUCK',
      'payment-succeeded, terminal',
    ]);
    assert.deepEqual(frames[1]?.details, { since: whileStuck.advisory?.since });
  });

  it('has an advisory whose time is that of the change to processing', async () => {
    const { frames, whileStuck } = await stuck;
    const stayedMs = Date.parse(frames[1]?.createdAt ?? '') - Date.parse(whileStuck.advisory?.since ?? '');
    assert.ok(stayedMs >= STUCK_AFTER_MS && stayedMs < STUCK_AFTER_MS + MINUTE_MS, `${stayedMs} ms`);
  });

  it('is ended by hand by two keys of support staff, and by no other', async () => {
    const { answers, intent } = await resolved;
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 200, 200, 200, 200],
    );
    const texts = answers.map(({ body }) => JSON.stringify(body));
    assert.match(texts[0] ?? '', /INSUFFICIENT_PERMISSIONS.*support:read/);
    assert.match(texts[1] ?? '', /"alpha answers: pending"/);
    for (const asked of texts.slice(2, 4)) assert.match(asked, /"status":"requested"/);
    assert.match(texts[4] ?? '', /"status":"resolved"/);
    assert.equal(intent.cancellationReason, 'requested_by_operator');
  });

  it('succeeds when the provider reports the charge, charged once, and loses its advisory', async () => {
    const { payment, settled } = await stuck;
    assertContains(settled, { status: 'succeeded', advisory: null, amountCaptured: 1_999 });
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });
});

describe('a payment that is not confirmed or completed in time', function () {
  this.timeout(4 * MINUTE_MS);

  it('expires before a confirm', async () => {
    const { payment, intent, frames } = await expiredIdle;
    assert.deepEqual(frames.map(describeFrame), ['payment-expired PAYMENT_EXPIRED, terminal']);
    const expiresAtMs = Date.parse(intent.expiresAt ?? '');
    assert.equal(expiresAtMs - Date.parse(intent.createdAt), MINUTE_MS);
    assert.ok(Date.parse(intent.updatedAt) >= expiresAtMs);
    assert.deepEqual(await chargesOf(payment.id), []);
  });

  it('expires while the customer does not act, and is voided at the provider', async () => {
    const { payment, intent, frames } = await expiredWaiting;
    assert.deepEqual(frames.map(describeFrame), [
      'payment-processing',
      'payment-requires-action',
      'payment-expired PAYMENT_EXPIRED, terminal',
    ]);
    assertContains(intent, { nextAction: null, attempts: { 0: { outcome: 'canceled' } } });
    assertContains(await readLedger('alpha', payment.id), { 0: { payment: { status: 'voided' } } });
    assert.deepEqual(await chargesOf(payment.id), []);
  });

  it('rejects a confirm with PAYMENT_EXPIRED and a cancel with STATE_CONFLICT', async () => {
    const { payment } = await expiredIdle;
    assertContains(assertRefused(await payment.confirm(card('approved')), 409, 'PAYMENT_EXPIRED').details, {
      status: 'expired',
    });
    assertRefused(await payment.cancel(), 409, 'STATE_CONFLICT');
  });
});

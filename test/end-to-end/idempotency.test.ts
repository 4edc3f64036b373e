import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'mocha';
import { merchantAccountResource } from '../../contract/schemas/merchant-account.ts';
import { webhookEndpointWithSecret } from '../../contract/schemas/webhook-endpoint.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, createdIntentOf, failureOf, intentInFailure, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf } from '../support/ledger.ts';
import { endpointWithSecret } from '../support/responses-with-secrets.ts';
import { createKey, createMerchant, type TestMerchant, useMerchant } from '../support/merchants.ts';
import { createPayment, INTENTS, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { clientOf, resourceOf } from '../support/resources.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';

const BODY = { amount: 1_200, currency: 'USD' };
const newKey = () => ({ 'X-Idempotency-Key': randomUUID() });

const isReplay = ({ headers }: Answer): boolean => headers.get('Idempotent-Replayed') === 'true';

function assertReplayed(answer: Answer, original: Answer): void {
  assert.ok(!isReplay(original));
  assert.ok(isReplay(answer));
  assert.deepEqual({ status: answer.status, body: answer.body }, { status: original.status, body: original.body });
}

function create(headers: Readonly<Record<string, string>>, body: unknown = BODY): Promise<Answer> {
  return request({ method: 'POST', path: INTENTS, body, headers });
}

describe('idempotency keys', function () {
  this.timeout(2 * MINUTE_MS);

  it('replay a creation, client secret included', async () => {
    const headers = newKey();
    const original = await create(headers);
    createdIntentOf(original);
    assertReplayed(await create(headers), original);
    assertReplayed(await create(headers), original);
  });

  for (const [input, status, code] of [
    ['declined', 400, 'CARD_DECLINED'],
    ['limitExceeded', 422, 'LIMIT_EXCEEDED'],
  ] as const) {
    it(`replay ${code}, although the payment has changed since`, async () => {
      const payment = await createPayment();
      const headers = newKey();
      const original = await payment.confirm(card(input), headers);
      assertRefused(original, status, code);
      assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'succeeded');
      const again = await payment.confirm(card(input), headers);
      assert.ok(isReplay(again));
      assert.equal(again.status, original.status);
      assertContains(failureOf({ ...again, headers: original.headers }), failureOf(original));
    });
  }

  it('reject another body, another path and another spelling of the same body', async () => {
    const headers = newKey();
    const { id } = createdIntentOf(await create(headers));
    assertRefused(await create(headers, { ...BODY, amount: 1_201 }), 409, 'DUPLICATE_REQUEST');
    assertRefused(await create(headers, '{"currency":"USD","amount":1200}'), 409, 'DUPLICATE_REQUEST');
    const elsewhere = await request({ method: 'POST', path: `${INTENTS}/${id}/cancel`, body: BODY, headers });
    assertRefused(elsewhere, 422, 'VALIDATION_ERROR');
    const canceled = await request({ method: 'POST', path: `${INTENTS}/${id}/cancel`, body: {}, headers });
    assertRefused(canceled, 409, 'DUPLICATE_REQUEST');
  });

  it('take the same card with another CVC as the same request, because no digest of a CVC is stored', async () => {
    const headers = newKey();
    const method = card('approved');
    const body = (cvc: string) => ({
      ...BODY,
      confirm: true,
      paymentMethod: { ...method, card: { ...method.card, cvc } },
    });
    const original = await create(headers, body('123'));
    createdIntentOf(original);
    assertReplayed(await create(headers, body('321')), original);
    const other = { ...body('123'), amount: BODY.amount + 1 };
    assertRefused(await create(headers, other), 409, 'DUPLICATE_REQUEST');
  });

  it('store no response to invalid input', async () => {
    const headers = newKey();
    assertRefused(await create(headers, { amount: 1_200 }), 400, 'INVALID_REQUEST');
    assertRefused(await create(headers, { ...BODY, currency: 'XXX' }), 422, 'INVALID_CURRENCY');
    createdIntentOf(await create(headers));
  });

  it('store no error that precedes the first provider call', async () => {
    const payment = await createPayment({ amount: 49 });
    const headers = newKey();
    assertRefused(await payment.confirm(card('approved'), headers), 422, 'CHANNEL_LIMIT_MIN_EXCEEDED');
    await request({ method: 'PATCH', path: `${INTENTS}/${payment.id}`, body: { amount: 50 } });
    assert.equal(intentOf(await payment.confirm(card('approved'), headers)).status, 'succeeded');
  });

  it('are separate for each account', async () => {
    const headers = newKey();
    const [merchant, mine] = await Promise.all([createMerchant(), create(headers)]);
    const theirs = await request({ method: 'POST', path: INTENTS, body: BODY, headers }, merchant.credentials);
    assert.notEqual(createdIntentOf(theirs).id, createdIntentOf(mine).id);
  });

  for (const [title, key] of [
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not printable', 'caf\u00e9'],
  ] as const) {
    it(`are rejected if they are ${title}`, async () => {
      const { details } = assertRefused(await create({ 'X-Idempotency-Key': key }), 422, 'VALIDATION_ERROR');
      assertContains(details, { fields: { 0: { field: 'X-Idempotency-Key' } } });
    });
  }

  it('create one intent and one workflow for 12 concurrent creations', async () => {
    const merchant = await createMerchant();
    const headers = newKey();
    const ask = () => request({ method: 'POST', path: INTENTS, body: BODY, headers }, merchant.credentials);
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(created.filter((answer) => !isReplay(answer)).length, 1);
    assert.equal(new Set(created.map((answer) => createdIntentOf(answer).id)).size, 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assertRefused(answer, 409, 'DUPLICATE_REQUEST');
      assert.equal(answer.headers.get('Retry-After'), '1');
    }
    assert.ok(isReplay(await ask()));
    const rows = await queryStack<{ id: string }>('SELECT id FROM payment_intent WHERE merchant_account_id = $1', [
      merchant.merchantAccountId,
    ]);
    assert.equal(rows.length, 1);
    await assertOneWorkflow(merchant, rows[0]?.id ?? '');
  });

  it('replay the immediate response to Prefer: respond-async', async () => {
    const payment = await createPayment();
    const headers = { ...newKey(), ...PREFER_ASYNC };
    const original = await payment.confirm(card('failover'), headers);
    assert.equal(intentOf(original).status, 'processing');
    await payment.reach('succeeded');
    const again = await payment.confirm(card('failover'), headers);
    assertReplayed(again, original);
    assert.deepEqual(await chargesOf(payment.id), ['beta capture 1999']);
  });
});

async function assertOneWorkflow({ merchantAccountId }: TestMerchant, paymentIntentId: string): Promise<void> {
  await eventually(async () => {
    const query = `MerchantAccount = "${merchantAccountId}"`;
    assert.deepEqual(await withTemporal((client) => findWorkflows(client, query)), [paymentIntentId]);
  });
}

describe('an idempotency key whose payment found no available provider', function () {
  this.timeout(2 * MINUTE_MS);
  const headers = newKey();
  let merchant: TestMerchant;
  let payment: Payment;
  let inFlight: Promise<Answer>;

  before('confirm on a route whose provider is down', async () => {
    merchant = await createMerchant();
    await setRoutes(`provider = 'alpha'`);
    payment = await createPayment({}, merchant.credentials);
    inFlight = payment.confirm(card('failover'), headers);
    inFlight.catch(() => undefined);
    await payment.reach('processing');
  });

  const setRoutes = (active: string) =>
    queryStack(`UPDATE payment_route SET active = (${active}) WHERE merchant_id = $1`, [merchant.merchantId]);

  it('is rejected while the first request is in flight', async () => {
    const answer = await payment.confirm(card('failover'), headers);
    assertRefused(answer, 409, 'DUPLICATE_REQUEST');
    assert.equal(answer.headers.get('Retry-After'), '1');
  });

  it('answers PROVIDER_UNAVAILABLE after four tries, with the intent as before', async () => {
    const answer = await inFlight;
    assertRefused(answer, 502, 'PROVIDER_UNAVAILABLE');
    assertContains(intentInFailure(answer), {
      status: 'requires_payment_method',
      attempts: { 0: { provider: 'alpha', tries: 4, outcome: 'not_charged' } },
    });
  });

  it('executes the request again for a repeat, and stores the success', async () => {
    await setRoutes(`provider = 'beta'`);
    const second = await payment.confirm(card('failover'), headers);
    assertContains(intentOf(second), { status: 'succeeded', provider: 'beta' });
    assertReplayed(await payment.confirm(card('failover'), headers), second);
    assert.deepEqual(await chargesOf(payment.id), ['beta capture 1999']);
  });
});

describe('an account that demands idempotency keys', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const demand = async (requireIdempotencyKeys: boolean) => {
    const answer = await send('PATCH', `/merchants/${merchant.merchantAccountId}`, { requireIdempotencyKeys });
    assert.equal(resourceOf(answer, merchantAccountResource).requireIdempotencyKeys, requireIdempotencyKeys);
  };

  it('rejects refunds and captures without a key, says what to do, and nothing else', async () => {
    const payment = await createPayment({ captureMethod: 'manual' }, merchant.credentials);
    await payment.confirm(card('approved'));
    await demand(true);
    const capture = (headers: Readonly<Record<string, string>> = {}) =>
      send('POST', `/payment-intents/${payment.id}/capture`, {}, headers);
    const refund = (headers: Readonly<Record<string, string>> = {}) =>
      send('POST', '/refunds', { paymentIntentId: payment.id, amount: 500 }, headers);
    for (const answer of [await capture(), await refund()]) {
      assertRefused(answer, 400, 'MISSING_REQUIRED_FIELD');
      assertContains(failureOf(answer), { details: { field: 'X-Idempotency-Key', reason: 'required' } });
      assert.match(failureOf(answer).message, /Send X-Idempotency-Key/);
    }
    assert.equal((await capture(newKey())).status, 200);
    assert.equal((await refund(newKey())).status, 201);
    assert.equal((await send('POST', '/customers', { name: 'Shopper' })).status, 201);
    await demand(false);
    assert.equal((await refund()).status, 201);
  });
});

describe('the idempotency key of a request that is signed with version 2', function () {
  this.timeout(MINUTE_MS);

  it('returns secrets again to the same API key, and to no other key on version 2', async () => {
    const merchant = await createMerchant();
    const [own, other] = await Promise.all([
      createKey(merchant, 'sandbox', { signatureVersion: 2 }),
      createKey(merchant, 'sandbox', { signatureVersion: 2 }),
    ]);
    const headers = newKey();
    const createBy = ({ credentials }: TestMerchant) =>
      clientOf(credentials)('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' }, headers);
    const original = await createBy(own);
    resourceOf(original, endpointWithSecret, 201);
    assertReplayed(await createBy(own), original);
    assert.equal(resourceOf(await createBy(other), webhookEndpointWithSecret, 201).secret, null);
  });
});

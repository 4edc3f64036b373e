import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { newId } from '../../domain/new-id.ts';
import { assertContains } from '../support/assert-contains.ts';
import {
  assertRefused,
  createdIntentOf,
  type Intent,
  intentInFailure,
  intentOf,
  intentPageOf,
  timelineOf,
} from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf } from '../support/ledger.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { PRIVATE_TEXT } from '../support/private-text.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { describeFrame, watch } from '../support/socket-watch.ts';

const skippedRoutes = z.object({ passedOver: z.array(z.object({ provider: z.string(), reason: z.string() })) });
/** The parts of events that say why a payment failed. */
const failedEvents = z.object({
  data: z.array(z.object({ failure: z.object({ code: z.string() }), data: z.object({ lastError: z.null() }) })),
});

describe('operations on payment intents', function () {
  this.timeout(2 * MINUTE_MS);

  it('creates and confirms in one request', async () => {
    const body = { amount: 2_500, currency: 'EUR', paymentMethod: card('approved'), confirm: true };
    const created = createdIntentOf(await request({ method: 'POST', path: INTENTS, body }));
    assertContains(created, {
      status: 'succeeded',
      amountCaptured: 2_500,
      paymentMethod: { type: 'card', brand: 'visa', last4: '4242' },
    });
    assert.deepEqual(await chargesOf(created.id), ['alpha capture 2500']);
  });

  it('stores the payment method of the creation for a later confirm', async () => {
    const payment = await createPayment({ paymentMethod: card('declined') });
    const answer = await payment.confirm(null);
    assertRefused(answer, 400, 'CARD_DECLINED');
    assertContains(intentInFailure(answer), { paymentMethod: { last4: '0002' } });
  });

  it('returns the intent with the requested fields', async () => {
    const { created, read } = await createPayment({ captureMethod: 'manual', expiresInSeconds: 120 });
    const { clientSecret, ...shown } = created;
    assert.match(clientSecret, new RegExp(`^${created.id}_secret_`));
    assert.deepEqual(await read(), shown);
    assertContains(shown, {
      ...PRIVATE_TEXT,
      amount: 1_999,
      currency: 'USD',
      country: 'DE',
      environment: 'sandbox',
      captureMethod: 'manual',
      status: 'requires_payment_method',
    });
  });

  it('uses the country of the customer if none is given', async () => {
    const merchant = await createMerchant();
    const customerId = newId('customer');
    await queryStack(
      `INSERT INTO customer (id, merchant_account_id, environment, country, updated_at)
       VALUES ($1, $2, 'sandbox', 'AQ', now())`,
      [customerId, merchant.merchantAccountId],
    );
    const body = { amount: 1_000, currency: 'USD', customerId };
    const answer = await request({ method: 'POST', path: INTENTS, body }, merchant.credentials);
    assertContains(createdIntentOf(answer), { customerId, country: 'AQ' });
    assertRefused(await request({ method: 'POST', path: INTENTS, body }), 404, 'CUSTOMER_NOT_FOUND');
  });

  it('cancels before a confirm, and notifies the socket', async () => {
    const payment = await createPayment();
    const page = await watch(payment.created.clientSecret);
    const canceled = intentOf(await payment.cancel());
    assertContains(canceled, { status: 'canceled', cancellationReason: 'requested_by_customer' });
    assert.deepEqual((await page.take(1)).map(describeFrame), ['payment-canceled, terminal']);
    await page.end();
    assertRefused(await payment.cancel(), 409, 'STATE_CONFLICT');
    assertRefused(await payment.confirm(card('approved')), 409, 'STATE_CONFLICT');
    assert.deepEqual(await chargesOf(payment.id), []);
  });

  it('answers a confirm of a succeeded intent with STATE_CONFLICT, and does not charge again', async () => {
    const payment = await createPayment();
    assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'succeeded');
    assertRefused(await payment.confirm(card('approved')), 409, 'STATE_CONFLICT');
    assertRefused(await payment.cancel(), 409, 'STATE_CONFLICT');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('charges once when two confirms race', async () => {
    const payment = await createPayment();
    const answers = await Promise.all([payment.confirm(card('approved')), payment.confirm(card('approved'))]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('charges the amount that a PATCH has set', async () => {
    const payment = await createPayment();
    const body = { amount: 2_222, currency: 'EUR', description: null, metadata: { order: '8' } };
    const updated = intentOf(await request({ method: 'PATCH', path: `${INTENTS}/${payment.id}`, body }));
    assertContains(updated, { amount: 2_222, currency: 'EUR', description: null });
    assert.deepEqual(updated.metadata, { order: '8' });
    assertContains(intentOf(await payment.confirm(card('approved'))), { status: 'succeeded', amountCaptured: 2_222 });
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 2222']);
    const late = await request({ method: 'PATCH', path: `${INTENTS}/${payment.id}`, body: { amount: 1 } });
    assertRefused(late, 409, 'STATE_CONFLICT');
  });

  it('cancels after the fifth decline, and makes no sixth attempt', async () => {
    const payment = await createPayment();
    const page = await watch(payment.created.clientSecret);
    for (let number = 1; number <= 4; number += 1) {
      assertRefused(await payment.confirm(card('declined')), 400, 'CARD_DECLINED');
    }
    const last = await payment.confirm(card('insufficientFunds'));
    const { details } = assertRefused(last, 400, 'PAYMENT_RETRIES_EXHAUSTED');
    assertContains(details, { attempts: 5, lastCode: 'INSUFFICIENT_FUNDS' });
    assertContains(await payment.read(), {
      status: 'canceled',
      cancellationReason: 'retries_exhausted',
      lastError: { code: 'PAYMENT_RETRIES_EXHAUSTED' },
    });
    assertRefused(await payment.confirm(card('approved')), 409, 'STATE_CONFLICT');
    const frames = (await page.take(11)).map(describeFrame);
    await page.end();
    assert.deepEqual(frames, [
      ...Array.from({ length: 4 }, () => ['payment-processing', 'payment-failed CARD_DECLINED']).flat(),
      'payment-processing',
      'payment-failed PAYMENT_RETRIES_EXHAUSTED, terminal',
      'payment-canceled, terminal',
    ]);
    assert.deepEqual(await chargesOf(payment.id), []);
  });

  it('rejects a confirm if no request has named a method yet', async () => {
    const payment = await createPayment();
    const { details } = assertRefused(await payment.confirm(null), 400, 'MISSING_REQUIRED_FIELD');
    assert.deepEqual(details, { field: 'paymentMethod', reason: 'required' });
  });

  it('answers 404 for unknown intents', async () => {
    for (const id of [newId('paymentIntent'), 'pi_', '%00', "pi_' OR 1=1 --"]) {
      const path = `${INTENTS}/${encodeURIComponent(id)}`;
      assertRefused(await request({ method: 'GET', path }), 404, 'PAYMENT_INTENT_NOT_FOUND');
      assertRefused(await request({ method: 'GET', path: `${path}/timeline` }), 404, 'PAYMENT_INTENT_NOT_FOUND');
      assertRefused(await request({ method: 'POST', path: `${path}/cancel` }), 404, 'PAYMENT_INTENT_NOT_FOUND');
    }
  });
});

describe('the timeline', function () {
  this.timeout(MINUTE_MS);

  it('lists every decision, attempt and event, oldest first', async () => {
    const payment = await createPayment();
    await payment.confirm(card('declined'));
    await payment.confirm(card('approved'));
    const lines = timelineOf(await request({ method: 'GET', path: `${INTENTS}/${payment.id}/timeline` }));
    assert.deepEqual(
      lines.map(({ kind, summary }) => `${kind}: ${summary}`),
      [
        'created: Created: USD 19.99, automatic capture',
        'event: payment_intent.created',
        'decision: Routes chosen: alpha, then beta',
        'attempt: Attempt 1 goes to alpha',
        'event: payment_intent.processing',
        'attempt: Attempt 1: alpha said declined (CARD_DECLINED, advice: elsewhere)',
        'decision: CARD_DECLINED: the payment is back to requires_payment_method',
        'event: payment_intent.payment_failed',
        'decision: Routes chosen: alpha, then beta',
        'attempt: Attempt 2 goes to alpha',
        'event: payment_intent.processing',
        'attempt: Attempt 2: alpha said approved',
        'decision: USD 19.99 captured at alpha',
        'event: transaction.created',
        'event: payment_intent.succeeded',
      ],
    );
    const times = lines.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted());
  });

  it('lists every skipped route with its reason', async () => {
    const payment = await createPayment({ country: 'AQ' });
    await payment.confirm(card('approved'));
    const lines = timelineOf(await request({ method: 'GET', path: `${INTENTS}/${payment.id}/timeline` }));
    const decision = lines.find(({ kind }) => kind === 'decision');
    assert.equal(decision?.summary, 'Not attempted: UNSUPPORTED_REGION');
    const { passedOver } = skippedRoutes.parse(decision.details);
    const forCountry = passedOver.filter(({ reason }) => reason === 'country').map(({ provider }) => provider);
    assert.deepEqual(forCountry, ['alpha', 'beta']);
    const query = `resourceId=${payment.id}&type=payment_intent.payment_failed`;
    await eventually(async () => {
      const { body } = await request({ method: 'GET', path: `/api/v1/events?${query}` });
      assert.deepEqual(failedEvents.parse(body).data, [
        { failure: { code: 'UNSUPPORTED_REGION' }, data: { lastError: null } },
      ]);
    });
  });
});

describe('the list of payment intents', function () {
  this.timeout(MINUTE_MS);
  let merchant: TestMerchant;
  let newestFirst: readonly Payment[];

  before(async () => {
    merchant = await createMerchant();
    const terms = [{ currency: 'USD' }, { currency: 'EUR' }, { currency: 'EUR' }, { currency: 'JPY' }, {}];
    const payments: Payment[] = [];
    for (const each of terms) payments.unshift(await createPayment(each, merchant.credentials));
    await payments.at(-1)?.confirm(card('approved'));
    await payments.at(-2)?.cancel();
    newestFirst = payments;
  });

  const list = async (query: string) =>
    intentPageOf(await request({ method: 'GET', path: `${INTENTS}${query}` }, merchant.credentials));
  const idsOf = (intents: readonly { id: string }[]): string[] => intents.map(({ id }) => id);

  it('is sorted newest first, with 20 to a page', async () => {
    const { data, pagination } = await list('');
    assert.deepEqual(idsOf(data), idsOf(newestFirst));
    assert.deepEqual(pagination, { page: 1, limit: 20, total: 5, totalPages: 1 });
  });

  it('has pages that neither repeat nor skip an intent', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?limit=2&page=${page}`)));
    assert.deepEqual(idsOf(pages.flatMap(({ data }) => [...data])), idsOf(newestFirst));
    assert.deepEqual(
      pages.map(({ data, pagination }) => [data.length, pagination.page, pagination.totalPages]),
      [
        [2, 1, 3],
        [2, 2, 3],
        [1, 3, 3],
        [0, 4, 3],
      ],
    );
  });

  for (const [query, matches] of [
    ['?status=succeeded', ({ status }) => status === 'succeeded'],
    ['?status=canceled', ({ status }) => status === 'canceled'],
    ['?currency=EUR', ({ currency }) => currency === 'EUR'],
    ['?currency=EUR&status=canceled', ({ currency, status }) => currency === 'EUR' && status === 'canceled'],
    ['?customerId=cus_nobody', () => false],
  ] satisfies [string, (intent: Intent) => boolean][]) {
    it(`can be filtered by ${query}`, async () => {
      const { data: all } = await list('');
      const { data, pagination } = await list(query);
      assert.deepEqual(data, all.filter(matches));
      assert.equal(pagination.total, data.length);
    });
  }

  it('can be filtered by the time of creation', async () => {
    const [, second, third] = newestFirst;
    const after = encodeURIComponent(third?.created.createdAt ?? '');
    const before = encodeURIComponent(second?.created.createdAt ?? '');
    assert.deepEqual(idsOf((await list(`?createdAfter=${after}`)).data), idsOf(newestFirst.slice(0, 2)));
    assert.deepEqual(idsOf((await list(`?createdBefore=${before}`)).data), idsOf(newestFirst.slice(2)));
  });

  for (const query of [
    '?limit=101',
    '?limit=0',
    '?page=0',
    '?page=1001',
    '?page=x',
    '?status=paid',
    '?color=red',
    '?createdAfter=1',
  ]) {
    it(`rejects ${query}`, async () => {
      const answer = await request({ method: 'GET', path: `${INTENTS}${query}` }, merchant.credentials);
      assertRefused(answer, 422, 'VALIDATION_ERROR');
    });
  }

  it('contains no intent of another account', async () => {
    const stranger = await createMerchant();
    const { data } = intentPageOf(await request({ method: 'GET', path: INTENTS }, stranger.credentials));
    assert.deepEqual(data, []);
    const path = `${INTENTS}/${newestFirst[0]?.id}`;
    assertRefused(await request({ method: 'GET', path }, stranger.credentials), 404, 'PAYMENT_INTENT_NOT_FOUND');
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused, type Intent } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/merchants.ts';
import { getData, listEvents, listTransactions } from '../support/money.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';

describe('transactions and events', function () {
  this.timeout(2 * MINUTE_MS);
  let payment: Payment;
  let paid: Intent;

  before(async () => {
    payment = await createPayment({ amount: 2_000 });
    await payment.confirm(card('declined'));
    await payment.confirm(card('approved'));
    paid = await payment.reach('succeeded');
    await eventually(async () => assert.equal((await listEvents(`resourceId=${payment.id}`)).length, 5));
  });

  it('return a transaction by its id and in lists', async () => {
    const all = await listTransactions(`paymentIntentId=${payment.id}`);
    const [capture] = all.filter(({ type }) => type === 'capture');
    assert.ok(capture);
    assert.deepEqual(await getData(`/transactions/${capture.id}`), capture);
    assert.deepEqual(await listTransactions(`paymentIntentId=${payment.id}&type=void`), []);
    const since = `paymentIntentId=${payment.id}&createdAfter=${capture.createdAt}`;
    assert.ok(!(await listTransactions(since)).some(({ id }) => id === capture.id));
  });

  it('list the events of a payment, newest first, each with the intent at that time', async () => {
    const events = await listEvents(`resourceId=${payment.id}`);
    assert.deepEqual(
      events.map(({ type }) => type.replace('payment_intent.', '')),
      ['succeeded', 'processing', 'payment_failed', 'processing', 'created'],
    );
    const [last] = events;
    assert.deepEqual(last?.data, paid);
    assert.deepEqual(await getData(`/events/${last.id}`), last);
    const failed = events[2]?.data;
    assert.ok(failed?.object === 'payment_intent');
    assert.equal(failed.attempts.length, 1);
    assert.equal(failed.lastError?.code, 'CARD_DECLINED');
  });

  it('list the events after a cursor, oldest first and without a gap', async () => {
    const events = await listEvents(`resourceId=${payment.id}`);
    const first = events.at(-1);
    assert.ok(first);
    const later = await listEvents(`after=${first.id}&limit=100`);
    assert.deepEqual(
      later.map(({ sequence }) => sequence),
      later.map((_, index) => first.sequence + 1 + index),
    );
    assert.deepEqual(
      (await listEvents(`type=payment_intent.succeeded&resourceId=${payment.id}`)).map(({ id }) => id),
      [events[0]?.id],
    );
  });

  it('are not found if they do not exist or belong to others', async () => {
    const { credentials } = await createMerchant();
    const [event] = await listEvents(`resourceId=${payment.id}`);
    const [transaction] = await listTransactions(`paymentIntentId=${payment.id}`);
    const get = (path: string, own = true) =>
      request({ method: 'GET', path: `/api/v1${path}` }, own ? undefined : credentials);
    assertRefused(await get(`/events/${newId('event')}`), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await get(`/events?after=${newId('event')}`), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await get(`/transactions/${newId('transaction')}`), 404, 'TRANSACTION_NOT_FOUND');
    assertRefused(await get(`/events/${event?.id}`, false), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await get(`/transactions/${transaction?.id}`, false), 404, 'TRANSACTION_NOT_FOUND');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { readProviderEvent, readRefundEvent } from '../../../activities/read-provider-event.ts';
import { newId } from '../../../domain/new-id.ts';
import { insertProviderEvent } from '../../../prisma/queries/provider-event.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('reading the event that a signal names', function () {
  this.timeout(60_000);
  const paymentIntentId = newId('paymentIntent');
  const refundId = newId('refund');
  const about = { provider: 'alpha', attemptId: newId('attempt'), outcome: { kind: 'not_charged' } } as const;
  const paymentEvent = { ...about, eventId: 'evt_payment' };
  const refundEvent = {
    provider: 'alpha',
    eventId: 'evt_refund',
    refundId,
    refundOutcome: { kind: 'not_refunded' },
  } as const;
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
    const { direct } = test.database;
    await direct.row(insertProviderEvent(paymentEvent, { paymentIntentId, refundId: null }));
    await direct.row(insertProviderEvent(refundEvent, { paymentIntentId, refundId }));
  });
  after(() => test.close());

  const readPayment = (provider: string, eventId: string, id = paymentIntentId) =>
    readProviderEvent(test.database, { provider, eventId, paymentIntentId: id });
  const readRefund = (eventId: string, id: string) =>
    readRefundEvent(test.database, { provider: 'alpha', eventId, paymentIntentId, refundId: id });

  it('returns what the verified webhook stored', async () => {
    assert.deepEqual(await readPayment('alpha', 'evt_payment'), paymentEvent);
    assert.deepEqual(await readRefund('evt_refund', refundId), refundEvent);
  });

  it('returns nothing for an event that is unknown, of another provider, or about something else', async () => {
    assert.equal(await readPayment('alpha', 'evt_unknown'), null);
    assert.equal(await readPayment('beta', 'evt_payment'), null);
    assert.equal(await readPayment('alpha', 'evt_payment', newId('paymentIntent')), null);
    assert.equal(await readPayment('alpha', 'evt_refund'), null);
    assert.equal(await readRefund('evt_refund', newId('refund')), null);
    assert.equal(await readRefund('evt_payment', refundId), null);
  });
});

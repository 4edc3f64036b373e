import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { readProviderEvent, readRefundEvent } from '../../../activities/read-provider-event.ts';
import { createProviderReports } from '../../../activities/provider-reports.ts';
import { attemptIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { InquiryOutcome } from '../../../domain/provider-outcome.ts';
import { insertProviderEvent } from '../../../prisma/queries/provider-event.ts';
import { useTestDatabase } from '../../support/database.ts';

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
  const test = useTestDatabase();

  before(async () => {
    const { direct } = test.database;
    await direct.row(insertProviderEvent(paymentEvent, { paymentIntentId, refundId: null }));
    await direct.row(insertProviderEvent(refundEvent, { paymentIntentId, refundId }));
  });

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

  it('returns the capture or void of a hold, then its authorization, in whatever order the reports arrived', async () => {
    const held = {
      kind: 'approved',
      providerPaymentId: 'p1',
      amountMinor: 100,
      currency: 'USD',
      captured: false,
    } as const;
    const captured = { ...held, captured: true, capturedMinor: 60 };
    const voided = { kind: 'not_charged' } as const;
    const declined = { kind: 'declined', providerPaymentId: null, code: 'CARD_DECLINED' } as const;
    const cases: readonly (readonly [readonly InquiryOutcome[], InquiryOutcome])[] = [
      [[held], held],
      [[captured, held], captured],
      [[voided, held], voided],
      [[held, voided], voided],
      [[held, declined], held],
      [[declined, held], held],
    ];
    const { direct } = test.database;
    for (const [outcomes, expected] of cases) {
      const paymentIntentId = newId('paymentIntent');
      const attemptId = attemptIdOf(paymentIntentId, 1);
      for (const outcome of outcomes) {
        const event = { provider: 'alpha', eventId: newId('event'), attemptId, outcome };
        await direct.row(insertProviderEvent(event, { paymentIntentId, refundId: null }));
      }
      const reports = createProviderReports(test.database);
      const attempt = { provider: 'alpha', attemptId, captureMethod: 'manual' } as const;
      assert.deepEqual(await reports.ofAttempt(attempt), expected);
      assert.equal(await reports.ofAttempt({ ...attempt, provider: 'beta' }), null);
    }
  });
});

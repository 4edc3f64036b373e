import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reserveRefund } from '../../../../../api/resources/refunds/reserve.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { DAY_MS, HOUR_MS } from '../../../../../domain/time.ts';
import type { PaymentIntent } from '../../../../../prisma/generated/client.ts';
import { useAccount } from '../../../../support/account-fixture.ts';

describe('the reservation of a refund', () => {
  const test = useAccount();

  const captured = (change: Partial<PaymentIntent> = {}): Promise<string> =>
    test.insertIntent({
      status: 'succeeded',
      amountCapturedMinor: 1_000n,
      version: 3,
      ...amountsOf(change),
    });

  const reserve = (
    paymentIntentId: string,
    amountMinor: number | null,
    { id = newId('refund'), transactionId = 'txn_1' } = {},
  ) =>
    reserveRefund(test.database, {
      id,
      account: { merchantAccountId: test.account, environment: 'sandbox' },
      capture: {
        transactionId,
        paymentIntentId,
        attemptId: 'att_1',
        provider: 'alpha',
        providerPaymentId: 'sim_1',
      },
      amountMinor,
      reason: 'duplicate',
      reference: null,
      metadata: { order: '7' },
      author: null,
    });

  const refundingOf = async (id: string): Promise<number> => {
    const intent = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    return Number(intent.amountRefundingMinor);
  };

  it('writes the refund, reserves the amount and writes the first event', async () => {
    const id = await captured();
    const reservation = await reserve(id, 400);
    assert.ok(reservation.kind === 'reserved');
    const { refund } = reservation;
    assert.deepEqual(
      [refund.status, refund.amount_minor, refund.currency, refund.reason, refund.metadata],
      ['pending', 400, 'USD', 'duplicate', { order: '7' }],
    );
    assert.equal(await refundingOf(id), 400);
    const [event, ...others] = await test.database.event.findMany({ where: { paymentIntentId: id } });
    assert.deepEqual(others, []);
    assert.deepEqual([event?.type, event?.resourceId, event?.version], ['refund.created', refund.id, 3]);
    assert.deepEqual(event?.snapshot, { refund });
  });

  it('reserves the remaining amount if none is given', async () => {
    const id = await captured({ amountRefundedMinor: 100n, amountRefundingMinor: 250n });
    const reservation = await reserve(id, null);
    assert.ok(reservation.kind === 'reserved');
    assert.equal(reservation.refund.amount_minor, 650);
    assert.equal(await refundingOf(id), 900);
    assert.deepEqual(await reserve(id, null), { kind: 'exceeded', refundableMinor: 0 });
  });

  it('writes nothing if too little is left', async () => {
    const id = await captured({ amountRefundedMinor: 700n });
    assert.deepEqual(await reserve(id, 301), { kind: 'exceeded', refundableMinor: 300 });
    assert.equal(await refundingOf(id), 0);
    assert.equal(await test.database.refund.count({ where: { paymentIntentId: id } }), 0);
    assert.equal(await test.database.event.count({ where: { paymentIntentId: id } }), 0);
  });

  it('writes nothing after the end of the refund window, whenever the capture was found', async () => {
    const id = await captured();
    const transactionId = newId('transaction');
    const windowMs = 180 * DAY_MS;
    const capturedAt = (ageMs: number) =>
      test.database.transaction.upsert({
        where: { id: transactionId },
        create: {
          id: transactionId,
          paymentIntentId: id,
          attemptId: 'att_1',
          merchantAccountId: test.account,
          environment: 'sandbox',
          type: 'capture',
          amountMinor: 1_000n,
          currency: 'USD',
          provider: 'alpha',
          providerPaymentId: 'sim_1',
          createdAt: new Date(Date.now() - ageMs),
        },
        update: { createdAt: new Date(Date.now() - ageMs) },
      });
    await capturedAt(windowMs + 1_000);
    assert.deepEqual(await reserve(id, 100, { transactionId }), { kind: 'too_late' });
    assert.equal(await refundingOf(id), 0);
    assert.equal(await test.database.refund.count({ where: { paymentIntentId: id } }), 0);
    await capturedAt(windowMs - HOUR_MS);
    assert.equal((await reserve(id, 100, { transactionId })).kind, 'reserved');
  });

  it('never reserves more than was captured, however many run at once', async () => {
    const id = await captured();
    const amounts = Array.from({ length: 20 }, (_, index) => (index % 4 === 3 ? null : 300));
    const reservations = await Promise.all(amounts.map((amount) => reserve(id, amount)));
    const reserved = reservations.flatMap((each) => (each.kind === 'reserved' ? [each.refund.amount_minor] : []));
    const promised = reserved.reduce((sum, amount) => sum + amount, 0);
    assert.equal(promised, await refundingOf(id));
    assert.ok(promised > 700 && promised <= 1_000, String(promised));
    const refunds = await test.database.refund.findMany({ where: { paymentIntentId: id } });
    assert.equal(refunds.length, reserved.length);
    assert.equal(await test.database.event.count({ where: { paymentIntentId: id } }), reserved.length);
  });

  it('succeeds for exactly three of twenty concurrent refunds of 30 %', async () => {
    const id = await captured();
    const reservations = await Promise.all(Array.from({ length: 20 }, () => reserve(id, 300)));
    assert.equal(reservations.filter(({ kind }) => kind === 'reserved').length, 3);
    assert.equal(await refundingOf(id), 900);
  });

  it('is made once for each refund', async () => {
    const id = await captured();
    const refundId = newId('refund');
    await reserve(id, 100, { id: refundId });
    await assert.rejects(reserve(id, 100, { id: refundId }));
    assert.equal(await refundingOf(id), 100);
  });
});

function amountsOf({ amountRefundedMinor, amountRefundingMinor }: Partial<PaymentIntent>) {
  return {
    ...(amountRefundedMinor === undefined ? {} : { amountRefundedMinor }),
    ...(amountRefundingMinor === undefined ? {} : { amountRefundingMinor }),
  };
}

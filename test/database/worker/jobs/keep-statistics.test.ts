import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { recoverCapture, reverseCapture } from '../../../../domain/capture-reversal.ts';
import { attemptIdOf, transactionIdOf } from '../../../../domain/ids.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { createPaymentStore } from '../../../../prisma/stores/payment-store.ts';
import { lockStatisticsCursor } from '../../../../prisma/queries/lock.ts';
import { endRefund } from '../../../../prisma/queries/refund-end.ts';
import { insertCounted } from '../../../../prisma/queries/statistics.ts';
import { sequenceEvents } from '../../../../worker/jobs/event-sequencer.ts';
import { keepStatistics } from '../../../../worker/jobs/keep-statistics.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertMerchantAccount, insertRefund } from '../../../support/payment-rows.ts';
import { approval, attemptOf, openAttemptOf, opening, record, recordPaid } from '../../../support/payment-steps.ts';

/** The hour of the steps that say nothing else, and times of other days. */
const HOUR = '2026-01-01T00';
const AN_HOUR_LATER = '2026-01-01T01:20:00.000Z';
const WEEKS_LATER = '2026-01-22T17:30:00.000Z';

describe('the statistics of payments', function () {
  this.timeout(60_000);
  const test = useAccount();

  before(() => insertMethod('pm_1', 'card'));
  beforeEach(async () => {
    await countAll();
    await test.database.paymentStatistic.deleteMany();
  });

  it('have each end of an attempt, each capture and each payment, in its hour and its day', async () => {
    await recordPaid(test.database, await test.insertIntent({ country: 'DE' }));
    await recordPaid(test.database, await test.insertIntent({ country: 'DE' }));
    await countAll();
    const of = 'sandbox USD alpha card DE';
    assert.deepEqual(await figuresOf('hour'), [
      `${HOUR} attempt.approved ${of}: 2, 2000`,
      `${HOUR} capture.captured ${of}: 2, 2000`,
      `${HOUR} payment.succeeded sandbox USD - card DE: 2, 2000`,
    ]);
    assert.deepEqual(await figuresOf('day'), await figuresOf('hour'));
  });

  it('have an attempt that no event followed, once the payment goes on at another provider', async () => {
    const id = await test.insertIntent();
    await record(test.database, id, opening(id));
    const first = attemptOf(id, { outcome: 'not_charged', code: 'PROVIDER_UNAVAILABLE', providerPaymentId: null });
    const second = { id: attemptIdOf(id, 2), number: 2, provider: 'beta' };
    await record(test.database, id, {
      from: 'processing',
      to: 'processing',
      attempts: [first, openAttemptOf(id, second)],
      timeline: [{ kind: 'attempt', summary: 'Attempt 2 goes to beta' }],
    });
    await countAll();
    assert.deepEqual(await figuresOf('hour'), []);
    const approved = attemptOf(id, { ...second, finishedAt: AN_HOUR_LATER });
    await record(test.database, id, approval(id, { attempts: [approved] }), { at: AN_HOUR_LATER });
    await countAll();
    const attempts = (await figuresOf('hour')).filter((line) => line.includes('attempt'));
    assert.deepEqual(attempts, [
      `${HOUR} attempt.not_charged sandbox USD alpha card - PROVIDER_UNAVAILABLE: 1, 1000`,
      '2026-01-01T01 attempt.approved sandbox USD beta card -: 1, 1000',
    ]);
  });

  it('have a refund in the hour in which it ended, weeks after the payment', async () => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    await countAll();
    const before = await figuresOf('hour');
    await endRefundOf(id, 'succeeded');
    await endRefundOf(id, 'failed');
    await countAll();
    const added = (await figuresOf('hour')).filter((line) => !before.includes(line));
    assert.deepEqual(added, [
      '2026-01-22T17 refund.failed sandbox USD alpha card - REFUND_FAILED: 1, 300',
      '2026-01-22T17 refund.succeeded sandbox USD alpha card -: 1, 300',
    ]);
  });

  it('have a capture no more in the hour in which it was counted once it has failed after all, and again where it is made again', async () => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    await countAll();
    const stored = (await createPaymentStore(test.database).read({ paymentIntentId: id })) ?? assert.fail();
    const attemptId = attemptIdOf(id, 1);
    const failure = { attemptId, amountMinor: 1_000, currency: 'USD', reason: 'Rejected' };
    const reversal = reverseCapture(stored.record, failure, WEEKS_LATER) ?? assert.fail();
    await record(test.database, id, reversal, { at: WEEKS_LATER });
    await countAll();
    assert.deepEqual(await figuresOf('hour'), [
      `${HOUR} attempt.approved sandbox USD alpha card -: 1, 1000`,
      `${HOUR} capture.captured sandbox USD alpha card -: 0, 0`,
      `${HOUR} payment.succeeded sandbox USD - card -: 0, 0`,
    ]);
    const failed = (await createPaymentStore(test.database).read({ paymentIntentId: id })) ?? assert.fail();
    const again = recoverCapture(failed.record, { attemptId, capturedMinor: 1_000 }) ?? assert.fail();
    await record(test.database, id, again, { at: WEEKS_LATER });
    await countAll();
    const figures = await figuresOf('hour');
    assert.deepEqual(
      figures.filter((line) => line.startsWith('2026-01-22') && !line.includes(': 0')),
      [
        '2026-01-22T17 capture.captured sandbox USD alpha card -: 1, 1000',
        '2026-01-22T17 payment.succeeded sandbox USD - card -: 1, 1000',
      ],
    );
  });

  it('keep accounts and currencies apart', async () => {
    const other = await insertMerchantAccount(test.database, { environment: 'production' });
    await recordPaid(test.database, await test.insertIntent());
    await recordPaid(
      test.database,
      await test.insertIntent({ merchantAccountId: other, environment: 'production', currency: 'EUR' }),
    );
    await countAll();
    const approved = await test.database.paymentStatistic.findMany({
      where: { period: 'hour', kind: 'payment' },
      orderBy: { environment: 'asc' },
    });
    assert.deepEqual(
      approved.map(({ merchantAccountId, environment, currency, count }) => [
        merchantAccountId,
        environment,
        currency,
        count,
      ]),
      [
        [other, 'production', 'EUR', 1n],
        [test.account, 'sandbox', 'USD', 1n],
      ],
    );
  });

  it('are the same as a count of the rows with several workers at once, while payments go on', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => test.insertIntent()));
    let isWriting = true;
    const workers = [1, 3, 7].map(async (size) => {
      while (isWriting) {
        await sequenceEvents(test.database, 5);
        await keepStatistics(test.database, size);
      }
    });
    await Promise.all(ids.map((id) => recordPaid(test.database, id)));
    isWriting = false;
    await Promise.all(workers);
    await countAll();
    const where = { paymentIntentId: { in: ids } };
    const attempts = await test.database.paymentAttempt.count({ where });
    const captures = await test.database.transaction.count({ where });
    assert.equal(attempts, 20);
    assert.deepEqual(await figuresOf('hour'), [
      `${HOUR} attempt.approved sandbox USD alpha card -: ${attempts}, 20000`,
      `${HOUR} capture.captured sandbox USD alpha card -: ${captures}, 20000`,
      `${HOUR} payment.succeeded sandbox USD - card -: 20, 20000`,
    ]);
  });

  it('count nothing twice when a worker dies between counting and its commit', async () => {
    await recordPaid(test.database, await test.insertIntent());
    await sequenceEvents(test.database);
    const dying = test.database.$transaction(async (transaction) => {
      await transaction.$executeRaw(lockStatisticsCursor());
      await transaction.$executeRaw(insertCounted(500).sql);
      throw new Error('the worker dies');
    });
    await assert.rejects(dying, /the worker dies/);
    assert.deepEqual(await figuresOf('hour'), []);
    await countAll();
    await countAll();
    assert.deepEqual(await figuresOf('hour'), [
      `${HOUR} attempt.approved sandbox USD alpha card -: 1, 1000`,
      `${HOUR} capture.captured sandbox USD alpha card -: 1, 1000`,
      `${HOUR} payment.succeeded sandbox USD - card -: 1, 1000`,
    ]);
  });

  it('have no attempt twice of a payment whose earlier events were purged', async () => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    await countAll();
    const before = await figuresOf('hour');
    await test.database.event.deleteMany({ where: { paymentIntentId: id } });
    await record(
      test.database,
      id,
      { timeline: [{ kind: 'request', summary: 'Later' }], events: [{ type: 'payment_intent.stray_charge_reversed' }] },
      { at: WEEKS_LATER },
    );
    await countAll();
    assert.deepEqual(await figuresOf('hour'), before);
  });

  it('are not stopped by an event whose snapshot lacks what is counted', async () => {
    const id = await test.insertIntent();
    for (const snapshot of [{}, { intent: { id } }, { attempts: null }, { attempts: [{}], transactions: null }]) {
      for (const type of ['payment_intent.created', 'transaction.created', 'refund.succeeded']) {
        await test.database.event.create({
          data: {
            id: `evt_${crypto.randomUUID()}`,
            merchantAccountId: test.account,
            environment: 'sandbox',
            type,
            resourceId: id,
            paymentIntentId: id,
            version: 1,
            snapshot,
            createdAt: new Date(Date.parse(AN_HOUR_LATER) + HOUR_MS),
          },
        });
      }
    }
    await countAll();
    assert.deepEqual(await figuresOf('hour'), []);
  });

  async function countAll(): Promise<void> {
    while ((await sequenceEvents(test.database)) > 0) continue;
    while ((await keepStatistics(test.database)) > 0) continue;
  }

  /** All figures as lines, in the order of time and kind. */
  async function figuresOf(period: string): Promise<string[]> {
    const rows = await test.database.paymentStatistic.findMany({
      where: { period },
      orderBy: [{ startsAt: 'asc' }, { kind: 'asc' }, { outcome: 'asc' }],
    });
    return rows.map(({ startsAt, kind, outcome, environment, currency, provider, method, country, code, ...sums }) => {
      const names = [environment, currency, provider || '-', method || '-', country || '-', code].join(' ').trim();
      return `${startsAt.toISOString().slice(0, 13)} ${kind}.${outcome} ${names}: ${sums.count}, ${sums.amountMinor}`;
    });
  }

  async function insertMethod(id: string, type: string): Promise<void> {
    const paymentIntentId = await test.insertIntent();
    const owner = { merchantAccountId: test.account, environment: 'sandbox', paymentIntentId };
    await test.database.paymentMethod.create({ data: { ...owner, id, type, masked: {}, keyId: 'card:k1' } });
  }

  async function endRefundOf(paymentIntentId: string, status: 'succeeded' | 'failed'): Promise<void> {
    const transactionId = transactionIdOf(paymentIntentId, 1, 'capture');
    const refundId = await insertRefund(test.database, paymentIntentId, { transactionId });
    const failure = status === 'failed' ? { code: 'REFUND_FAILED' as const, message: 'Refused.' } : null;
    await test.database.direct.row(
      endRefund({ refundId, status, providerRefundId: 're_at_alpha', failure, tries: 1, at: WEEKS_LATER }),
    );
  }
});

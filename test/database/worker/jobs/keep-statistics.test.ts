import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { disputeIdFor, recordDispute } from '../../../../activities/record-dispute.ts';
import { planPayment } from '../../../../activities/plan-payment.ts';
import { readDisputeStatistics } from '../../../../api/resources/statistics/disputes.ts';
import { RATE_HALF_LIFE_ATTEMPTS } from '../../../../domain/approval-order.ts';
import type { DisputeReport, StoredReport } from '../../../../domain/dispute.ts';
import { stepOfReport } from '../../../../domain/dispute-step.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { Attempt } from '../../../../domain/payment.ts';
import { SIMULATOR_CAPABILITIES } from '../../../../providers/simulator/simulator-provider.ts';
import { recoverCapture, reverseCapture } from '../../../../domain/capture-reversal.ts';
import { attemptIdOf, transactionIdOf } from '../../../../domain/ids.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { createPaymentStore } from '../../../../prisma/stores/payment-store.ts';
import { lockStatisticsCursor } from '../../../../prisma/queries/lock.ts';
import { endRefund } from '../../../../prisma/queries/refund-end.ts';
import { insertCounted } from '../../../../prisma/queries/statistics.ts';
import { sequenceEvents } from '../../../../worker/jobs/event-sequencer.ts';
import { keepStatistics } from '../../../../worker/jobs/keep-statistics.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertMerchantAccount, insertRefund, insertRouteTo } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';
import { approval, attemptOf, openAttemptOf, opening, record, recordPaid } from '../../../support/payment-steps.ts';

const OFFERS = new Map(['alpha', 'beta'].map((name) => [name, SIMULATOR_CAPABILITIES]));
const REGISTRY = {
  find: () => Promise.resolve(undefined),
  offersFor: () => OFFERS,
  offerOfAccount: () => SIMULATOR_CAPABILITIES,
};
const PAYMENT = {
  environment: 'sandbox',
  method: 'card',
  terms: { amountMinor: 1_000, currency: 'USD', country: 'IT', captureMethod: 'automatic' },
  paymentMethodId: 'pm_none',
  attemptsMade: 0,
} as const;

const DISPUTE: DisputeReport = {
  providerReference: 'simdp_1',
  providerEvent: 'opened',
  stage: 'chargeback',
  status: 'needs_response',
  unknownStatus: null,
  reason: 'fraudulent',
  networkReasonCode: null,
  amountMinor: 1_000,
  currency: 'USD',
  respondBy: null,
  isDefendable: null,
  funds: null,
  occurredAt: '2026-01-01T00:00:00.000Z',
};

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

  it('have a capture of which a part did not arrive with the rest, and the part where it is captured again', async () => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    const read = async () => (await createPaymentStore(test.database).read({ paymentIntentId: id })) ?? assert.fail();
    const attemptId = attemptIdOf(id, 1);
    const failure = { attemptId, amountMinor: 400, currency: 'USD', reason: 'Rejected' };
    const reversal = reverseCapture((await read()).record, failure, WEEKS_LATER) ?? assert.fail();
    await record(test.database, id, reversal, { at: WEEKS_LATER });
    await countAll();
    const paid = `${HOUR} payment.succeeded sandbox USD - card -: 1, 1000`;
    const captured = async () => (await figuresOf('hour')).filter((line) => !line.includes('attempt'));
    assert.deepEqual(await captured(), [`${HOUR} capture.captured sandbox USD alpha card -: 1, 600`, paid]);
    const again = recoverCapture((await read()).record, { attemptId, capturedMinor: 400 }) ?? assert.fail();
    await record(test.database, id, again, { at: WEEKS_LATER });
    await countAll();
    assert.deepEqual(await captured(), [
      `${HOUR} capture.captured sandbox USD alpha card -: 1, 600`,
      paid,
      '2026-01-22T17 capture.captured sandbox USD alpha card -: 1, 400',
    ]);
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

  describe('with routes that are ordered by approval rate', () => {
    before(async () => {
      const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
      const ordering = { ordering: 'approval_rate', explorationShare: 0.05, minimumAttempts: 3, windowHours: 24 };
      await test.database.routingSetting.create({
        data: { merchantId, environment: 'sandbox', method: 'card', ...ordering },
      });
      for (const provider of ['alpha', 'beta'])
        await insertRouteTo(test.database, test.account, provider, newId('paymentRoute'));
    });
    beforeEach(() => test.database.approvalRate.deleteMany());

    const end = async (provider: string, outcome: Partial<Attempt>, { country = 'DE', number = 1 } = {}) => {
      const id = await test.insertIntent({ country });
      const attempt = { id: attemptIdOf(id, number), number, provider };
      await record(test.database, id, opening(id, { attempts: [openAttemptOf(id, attempt)] }));
      const attempts = [attemptOf(id, { ...attempt, ...outcome })];
      if (outcome.outcome === 'approved') return record(test.database, id, approval(id, { attempts }));
      return record(test.database, id, {
        from: 'processing',
        to: 'requires_payment_method',
        attempts,
        timeline: [{ kind: 'decision', summary: 'Declined' }],
        events: [{ type: 'payment_intent.payment_failed', failure: { code: 'CARD_DECLINED', message: 'Declined.' } }],
      });
    };
    const approved = { outcome: 'approved' } as const;
    const declined = { outcome: 'declined', code: 'CARD_DECLINED', providerPaymentId: null } as const;
    const rateOf = async (currency: string, country: string, provider = 'alpha') => {
      const row = await test.database.approvalRate.findFirst({ where: { provider, currency, country } });
      return row === null ? null : [Number(row.attempts), Number((row.approved / row.weight).toFixed(4))];
    };

    it('have the rate of each provider, in all, by currency and by country, without what the customer is the reason for', async () => {
      await end('alpha', approved);
      await end('alpha', approved, { country: 'FR' });
      await end('alpha', declined);
      await end('alpha', { ...declined, code: 'INSUFFICIENT_FUNDS' });
      await end('alpha', { ...declined, advice: 'correct_data' });
      await end('alpha', { ...declined, outcome: 'canceled', code: null });
      await end('alpha', declined, { number: 2 });
      await countAll();
      assert.deepEqual(await rateOf('', ''), [3, 0.6667]);
      assert.deepEqual(await rateOf('USD', ''), [3, 0.6667]);
      assert.deepEqual(await rateOf('USD', 'DE'), [2, 0.5]);
      assert.deepEqual(await rateOf('USD', 'FR'), [1, 1]);
      assert.equal(await rateOf('', '', 'beta'), null);
    });

    it('forget as if attempts were counted one after the other, however many are counted at once', async () => {
      for (const outcome of [approved, approved, approved, declined]) await end('alpha', outcome);
      await countAll();
      for (const outcome of [declined, declined]) await end('alpha', outcome);
      await countAll();
      const kept = 2 ** (-1 / RATE_HALF_LIFE_ATTEMPTS);
      const weightOf = (attempts: number) => (1 - kept ** attempts) / (1 - kept);
      const expected = (0.75 * weightOf(4) * kept ** 2) / weightOf(6);
      assert.deepEqual(await rateOf('', ''), [6, Number(expected.toFixed(4))]);
    });

    it('send payments to the provider with the higher rate, with rate and attempts in the plan, as long as rates are young', async () => {
      for (const outcome of [approved, declined, declined]) await end('alpha', outcome);
      for (const outcome of [approved, approved, approved]) await end('beta', outcome);
      await countAll();
      const firstOf = async (paymentIntentId: string) =>
        (await planPayment(test.database, REGISTRY, { ...PAYMENT, paymentIntentId, merchantAccountId: test.account }))
          .routes[0];
      const ids = Array.from({ length: 40 }, () => newId('paymentIntent'));
      const firsts = await Promise.all(ids.map(firstOf));
      const best = firsts.filter((first) => first?.provider === 'beta');
      assert.ok(best.length >= 30, `${best.length} of 40 went to the better provider`);
      assert.deepEqual(best[0]?.place, { by: 'approval_rate', approvalRate: 1, attempts: 3 });
      const explored = firsts.find((first) => first?.provider === 'alpha');
      assert.ok(explored === undefined || explored.place?.by === 'exploration');
      assert.deepEqual(await Promise.all(ids.map(firstOf)), firsts);
      await test.database.approvalRate.updateMany({ data: { updatedAt: new Date(Date.now() - 25 * HOUR_MS) } });
      assert.deepEqual((await firstOf(ids[0] ?? ''))?.place, { by: 'weight', approvalRate: null, attempts: 0 });
    });

    it('have no rates once weights order the routes', async () => {
      await test.database.routingSetting.updateMany({ data: { ordering: 'weighted' } });
      await end('alpha', approved);
      await countAll();
      assert.equal(await test.database.approvalRate.count(), 0);
      const plan = await planPayment(test.database, REGISTRY, {
        ...PAYMENT,
        paymentIntentId: newId('paymentIntent'),
        merchantAccountId: test.account,
      });
      assert.deepEqual(Object.keys(plan.routes[0] ?? {}).sort(), ['provider', 'routeId']);
    });
  });

  it('have disputes by month, each when it began, became a chargeback or ended, beside the captures of the month', async () => {
    const [inquired, charged] = [await test.insertIntent(), await test.insertIntent()];
    for (const id of [inquired, charged]) await recordPaid(test.database, id);
    await reportDispute(inquired, { stage: 'inquiry', providerEvent: 'asked' });
    await reportDispute(charged, { providerEvent: 'opened', funds: 'withdrawn', reason: 'duplicate' });
    await countAll();
    await reportDispute(inquired, { providerEvent: 'escalated', funds: 'withdrawn' });
    await reportDispute(inquired, { providerEvent: 'lost', status: 'lost' });
    await reportDispute(charged, { providerEvent: 'won', status: 'won', funds: 'reinstated', reason: 'duplicate' });
    await countAll();
    assert.deepEqual(
      (await figuresOf('day')).filter((line) => line.includes('dispute')),
      [],
    );
    const { months, byProvider, byReason } = await readDisputeStatistics(
      test.database,
      principalWith({ merchantAccountId: test.account, scopes: [] }),
      1,
    );
    const figures = { inquiries: 1, chargebacks: 2, won: 1, lost: 1, closed: 0, winRate: 0.5 };
    assertContains(months[0], { ...figures, fraudWarnings: 0 });
    assert.deepEqual(
      byProvider.map(({ payments: _, chargebackRate: __, ...row }) => row),
      [{ provider: 'alpha', ...figures }],
    );
    assert.deepEqual(byReason, [
      { reason: 'duplicate', inquiries: 0, chargebacks: 1, won: 1, lost: 0, closed: 0, winRate: 1 },
      { reason: 'fraudulent', inquiries: 1, chargebacks: 1, won: 0, lost: 1, closed: 0, winRate: 0 },
    ]);
    const captured = (await figuresOf('month')).filter((line) => line.includes('capture'));
    assert.equal(captured.length, 1);
    assert.match(captured[0] ?? '', /^2026-01-01T00 capture.captured .*: 2, 2000$/);
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

  /** Records a report of the dispute of a payment. */
  async function reportDispute(paymentIntentId: string, change: Partial<DisputeReport>): Promise<void> {
    const report: StoredReport = { ...DISPUTE, ...change, eventId: newId('event') };
    await recordDispute(test.database, {
      disputeId: disputeIdFor('alpha', paymentIntentId),
      paymentIntentId,
      attemptId: attemptIdOf(paymentIntentId, 1),
      provider: 'alpha',
      stepId: report.eventId,
      step: (known) => stepOfReport({ ...known, report }),
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

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { pino } from 'pino';
import { startJobs } from '../../../../worker/jobs/start-jobs.ts';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';

describe('background jobs of a worker', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  it('number events, start workflows, deliver provider events and purge, also after a database outage, until they are stopped', async () => {
    const { database } = test;
    const account = await insertMerchantAccount(database);
    const minuteAgo = new Date(Date.now() - 60_000);
    const intent = await insertPaymentIntent(database, account, { createdAt: minuteAgo });
    await insertEvent(database, { merchantAccountId: account, paymentIntentId: intent });
    const event = {
      provider: 'alpha',
      eventId: 'one',
      attemptId: attemptIdOf(intent, 1),
      outcome: { kind: 'not_charged' },
    };
    await database.providerEvent.create({
      data: { provider: 'alpha', eventId: 'one', paymentIntentId: intent, event, receivedAt: minuteAgo },
    });
    await database.rateLimit.create({ data: { key: 'old', expire: 1n } });
    const calls: string[] = [];
    const background = startJobs({
      database,
      logger: pino({ level: 'silent' }),
      showBacklogs: () => undefined,
      depositAccounts: [],
      watchedAccounts: { readPage: async () => [], open: async () => undefined },
      retention: {
        eventsDays: 30,
        providerEventsDays: 30,
        paymentsDays: 2_555,
        auditEventsDays: 400,
        requestsDays: 7,
        savedCardsUnusedDays: 730,
      },
      refundWorkflows: {
        start: async () => undefined,
        takeOver: async () => false,
        deliverRefundEvent: async () => 'delivered',
        fail: async () => false,
      },
      savedMethodWorkflows: { start: async () => true },
      disputeWorkflows: { wake: async () => undefined, start: async () => true },
      strayChargeWorkflows: { start: async () => undefined, takeOver: async () => false },
      reconciliations: {
        schedule: async () => undefined,
        unschedule: async () => undefined,
        scheduled: () => Promise.resolve([]),
        compareOne: async () => undefined,
      },
      settlementImports: {
        schedule: async () => undefined,
        unschedule: async () => undefined,
        scheduled: () => Promise.resolve([]),
      },
      registry: { find: async () => undefined },
      reconcileEveryMs: 0,
      versions: { versionsWithoutWorker: async () => [], runsOf: async () => [] },
      states: {
        stateOf: async () => ({ kind: 'ended', as: 'forgotten' }),
        statesOf: async () => new Map(),
        endedByHand: async () => [],
        detailsOf: async () => null,
        readAgain: async () => undefined,
        showAdvisory: async () => undefined,
        terminate: async () => false,
      },
      webhookWorkflows: { start: async () => undefined, recover: async () => undefined },
      workflows: {
        takeOver: async () => false,
        start: async ({ paymentIntentId }) => void calls.push(`start ${paymentIntentId}`),
        followTestClock: async () => undefined,
        deliverProviderEvent: async (_id, { eventId }) => {
          calls.push(`deliver ${eventId}`);
          return 'delivered';
        },
      },
    });
    const isDone = async (): Promise<boolean> =>
      (await database.event.count({ where: { position: null } })) === 0 &&
      calls.includes(`start ${intent}`) &&
      (await database.providerEvent.count({ where: { deliveredAt: null } })) === 0 &&
      (await database.rateLimit.count()) === 0;
    while (!(await isDone())) await wait(10);
    assert.deepEqual(calls.sort(), ['deliver one', `start ${intent}`]);

    await test.cutConnections();
    await insertEvent(database, { merchantAccountId: account, paymentIntentId: intent });
    while (!(await isDone())) await wait(10);

    await background.stop();
  });
});

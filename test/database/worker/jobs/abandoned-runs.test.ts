import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { ABANDONED_RUNS_PAGE_SIZE, createAbandonedRunsJob } from '../../../../worker/jobs/abandoned-runs.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../../domain/ids.ts';
import { SECOND_MS } from '../../../../domain/time.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../../../../protocol/messages.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../../../support/payment-rows.ts';

const { signal } = new AbortController();

describe('abandoned runs', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let nowMs: number;
  /** The state of Temporal, by queue: the versions without a worker, and the workflows that run on each. */
  let missing: Record<string, string[]>;
  let open: Record<string, Record<string, string[]>>;
  let ended: string[];
  let isAway: boolean;
  /** Ended workflows that Temporal's stale list still contains. */
  let late: ReadonlySet<string>;
  let round: () => Promise<'more' | 'done'>;

  beforeEach(() => {
    nowMs = 0;
    missing = {};
    open = {};
    ended = [];
    isAway = false;
    late = new Set();
    const dependencies = {
      database: test.database,
      versions: {
        versionsWithoutWorker: async (queue: string) => {
          if (isAway) throw new TemporalUnavailableError('away');
          return missing[queue] ?? [];
        },
        runsOf: async (queue: string, buildIds: readonly string[], limit: number) =>
          buildIds
            .flatMap((buildId) => open[queue]?.[buildId] ?? [])
            .filter((id) => late.has(id) || !ended.includes(id))
            .slice(0, limit)
            .map((workflowId) => ({ workflowId, runId: `run of ${workflowId}` })),
      },
      states: {
        terminate: async (workflowId: string, runId: string) => {
          assert.equal(runId, `run of ${workflowId}`);
          if (ended.includes(workflowId)) return false;
          ended.push(workflowId);
          return true;
        },
      },
      logger: { warn: () => undefined },
    };
    const next = createAbandonedRunsJob(dependencies, () => nowMs);
    round = () => next(signal);
  });

  const roundsAt = async (...seconds: readonly number[]): Promise<void> => {
    for (const second of seconds) {
      nowMs = second * SECOND_MS;
      assert.equal(await round(), 'done');
    }
  };
  const abandon = (count: number, queue = PAYMENTS_TASK_QUEUE): string[] => {
    const ids = Array.from({ length: count }, (_, index) => `${queue} ${index}`);
    missing[queue] = ['old'];
    open[queue] = { old: ids };
    return ids;
  };

  it('are terminated once their version has had no worker for 45 s', async () => {
    const ids = [...abandon(2), ...abandon(1, WEBHOOKS_TASK_QUEUE)];
    open[PAYMENTS_TASK_QUEUE] = { ...open[PAYMENTS_TASK_QUEUE], current: ['one that goes on'] };
    await roundsAt(0, 15, 44);
    assert.deepEqual(ended, []);
    await roundsAt(45);
    assert.deepEqual(ended, ids);
  });

  it('are terminated page after page, without another wait', async () => {
    const count = 10 * ABANDONED_RUNS_PAGE_SIZE + 1;
    const ids = abandon(count);
    await roundsAt(0);
    nowMs = 45 * SECOND_MS;
    let rounds = 1;
    while ((await round()) === 'more') rounds += 1;
    assert.deepEqual([rounds, ended.length], [11, count]);
    assert.deepEqual(ended.sort(), ids.sort());
  });

  it('are not terminated if a worker came back, or polls for the other queue only', async () => {
    abandon(1);
    await roundsAt(0, 30);
    missing = {};
    await roundsAt(40);
    abandon(1);
    await roundsAt(50, 94);
    assert.deepEqual(ended, []);
    missing = { [WEBHOOKS_TASK_QUEUE]: ['old'] };
    await roundsAt(95, 200);
    assert.deepEqual(ended, []);
  });

  it('are not terminated until 45 s after a check that failed', async () => {
    const ids = abandon(1);
    await roundsAt(0, 30);
    isAway = true;
    await assert.rejects(round, TemporalUnavailableError);
    isAway = false;
    await roundsAt(50, 94);
    assert.deepEqual(ended, []);
    await roundsAt(95);
    assert.deepEqual(ended, ids);
  });

  it("are not listed again at once if Temporal's list is stale", async () => {
    late = new Set(abandon(ABANDONED_RUNS_PAGE_SIZE));
    await roundsAt(0);
    nowMs = 45 * SECOND_MS;
    assert.deepEqual([await round(), await round()], ['more', 'done']);
    assert.equal(ended.length, ABANDONED_RUNS_PAGE_SIZE);
  });

  it('make their payments, refunds and stray charges due', async () => {
    const account = await insertMerchantAccount(test.database);
    const intent = await insertPaymentIntent(test.database, account, { nextDueAt: null });
    await insertPaymentIntent(test.database, account, { nextDueAt: null });
    const refund = await insertRefund(test.database, intent, { nextDueAt: null });
    const attemptId = attemptIdOf(intent, 1);
    const charge = { paymentIntentId: intent, merchantAccountId: account, environment: 'sandbox', provider: 'alpha' };
    await test.database.strayCharge.create({ data: { ...charge, attemptId, nextDueAt: null } });
    missing = { [PAYMENTS_TASK_QUEUE]: ['old'] };
    open[PAYMENTS_TASK_QUEUE] = { old: [intent, refund, strayChargeIdOf(attemptId)] };
    await roundsAt(0, 45);
    const due = { where: { nextDueAt: { lte: new Date(Date.now() + SECOND_MS) } } };
    assert.deepEqual(
      (await test.database.paymentIntent.findMany(due)).map(({ id }) => id),
      [intent],
    );
    assert.equal(await test.database.refund.count(due), 1);
    assert.equal(await test.database.strayCharge.count(due), 1);
  });
});

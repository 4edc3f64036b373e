import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { pino } from 'pino';
import { createOrphanSweeper } from '../../background/orphan-sweeper.ts';
import type { Database } from '../../prisma/client.ts';
import type { WorkflowStanding } from '../../temporal/workflow-standings.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../support/payment-rows.ts';
import { approval } from '../support/payment-steps.ts';

const MINUTE_AGO = new Date(Date.now() - 60_000);
const PASSES = 100;

const RUNNING = { kind: 'running', runId: 'run_1', hasBegun: true, isBusy: false } as const;

/** A Temporal whose list of running workflows may be wrong. */
function sweeperOf(
  database: Database,
  listed: readonly string[],
  ended: readonly string[],
  running: Extract<WorkflowStanding, { kind: 'running' }> = RUNNING,
  versionKnown = 0,
) {
  const asked: string[] = [];
  const endedByUs: string[] = [];
  const restarted: string[] = [];
  const sweep = createOrphanSweeper({
    database,
    logger: pino({ level: 'silent' }),
    standings: {
      runningAmong: async (ids) => new Map(listed.filter((id) => ids.includes(id)).map((id) => [id, 'run_1'])),
      standingOf: async (id) => {
        asked.push(id);
        return ended.includes(id) ? { kind: 'ended', as: 'terminated' } : running;
      },
      versionKnown: async () => versionKnown,
      end: async (id) => void endedByUs.push(id),
    },
    workflows: {
      restart: async ({ paymentIntentId }) => {
        restarted.push(paymentIntentId);
        return true;
      },
    },
    refundWorkflows: { restart: async () => false },
  });
  const pass = () => sweep(new AbortController().signal);
  return { asked, restarted, endedByUs, pass };
}

describe('takeover of payments without a workflow', () => {
  let test: TestDatabase;
  let ids: string[];

  before(async () => {
    test = await createTestDatabase();
    const { database } = test;
    const account = await insertMerchantAccount(database);
    ids = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(await insertPaymentIntent(database, account, { workflowStartedAt: MINUTE_AGO, createdAt: MINUTE_AGO }));
    }
    ids.sort();
    await database.$executeRaw`UPDATE payment_intent SET updated_at = ${MINUTE_AGO}`;
  });
  after(() => test.close());

  it('asks for a workflow that is not listed, and takes over where it has ended indeed', async () => {
    const [, lost = '', unlisted = ''] = ids;
    const listed = ids.filter((id) => id !== lost && id !== unlisted);
    const { asked, restarted, pass } = sweeperOf(test.database, listed, [lost]);
    await pass();
    assert.ok(asked.includes(lost) && asked.includes(unlisted));
    assert.deepEqual(restarted, [lost]);
  });

  it('asks for each workflow by itself now and then, whatever the list says', async () => {
    const { asked, restarted, pass } = sweeperOf(test.database, ids, [ids[2] ?? '']);
    for (let count = 0; count < PASSES; count += 1) await pass();
    assert.deepEqual(asked.toSorted(), ids);
    assert.deepEqual(restarted, [ids[2]]);
  });

  describe('that Temporal says to run', () => {
    const UNBEGUN = { ...RUNNING, hasBegun: false };
    const LONG_AGO = new Date(Date.now() - 200_000);

    const endedOf = async (
      row: Parameters<typeof insertPaymentIntent>[2],
      running: Extract<WorkflowStanding, { kind: 'running' }>,
    ): Promise<boolean> => {
      const account = await insertMerchantAccount(test.database);
      const id = await insertPaymentIntent(test.database, account, {
        workflowStartedAt: LONG_AGO,
        createdAt: LONG_AGO,
        updatedAt: LONG_AGO,
        ...row,
      });
      const { endedByUs, pass } = sweeperOf(test.database, [...ids, id], [], running);
      await pass();
      await test.database.paymentIntent.delete({ where: { id } });
      return endedByUs.includes(id);
    };
    const processing = { status: 'processing', version: 1 } as const;

    it('ends a run that does not know of the confirm that was written long ago', async () => {
      assert.equal(await endedOf(processing, UNBEGUN), true);
      assert.equal(await endedOf(processing, RUNNING), true);
    });

    it('ends a run that has not begun though its intent should have expired', async () => {
      assert.equal(await endedOf({ expiresAt: LONG_AGO }, UNBEGUN), true);
    });

    describe('whose provider was called within a task', () => {
      const waiting = async (): Promise<string> => {
        const account = await insertMerchantAccount(test.database);
        const row = { status: 'requires_action', version: 2, workflowStartedAt: MINUTE_AGO, updatedAt: MINUTE_AGO };
        const id = await insertPaymentIntent(test.database, account, row);
        const { attempts } = approval(id);
        await test.database.paymentAttempt.createMany({
          data: attempts.map((attempt) => ({
            ...attempt,
            paymentIntentId: id,
            outcome: null,
            finishedAt: null,
            calledAtOnce: true,
          })),
        });
        return id;
      };

      it('ends a run that knows nothing of the call, though nothing is due', async () => {
        const id = await waiting();
        const { endedByUs, pass } = sweeperOf(test.database, [...ids, id], [], RUNNING, 0);
        await pass();
        assert.deepEqual(endedByUs, [id]);
        await test.database.paymentIntent.delete({ where: { id } });
      });

      it('asks once whether a run knows of the call', async () => {
        const id = await waiting();
        const { asked, endedByUs, pass } = sweeperOf(test.database, [...ids, id], [], RUNNING, 2);
        await pass();
        await pass();
        assert.deepEqual([asked.filter((each) => each === id).length, endedByUs], [1, []]);
        await test.database.paymentIntent.delete({ where: { id } });
      });
    });

    it('leaves a run alone that works, that knows what is recorded, or that is not late', async () => {
      assert.equal(await endedOf(processing, { ...UNBEGUN, isBusy: true }), false);
      assert.equal(await endedOf({ ...processing, version: 0 }, RUNNING), false);
      assert.equal(await endedOf({ ...processing, updatedAt: MINUTE_AGO }, UNBEGUN), false);
      assert.equal(await endedOf({ ...processing, advisory: { code: 'PAYMENT_STUCK' } }, UNBEGUN), false);
      assert.equal(await endedOf({}, UNBEGUN), false);
    });
  });
});

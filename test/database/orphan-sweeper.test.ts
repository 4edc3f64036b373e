import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { pino } from 'pino';
import { createOrphanSweeper } from '../../background/orphan-sweeper.ts';
import type { Database } from '../../prisma/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../support/payment-rows.ts';

const MINUTE_AGO = new Date(Date.now() - 60_000);
const PASSES = 100;

/** A Temporal whose list of running workflows may be wrong. */
function sweeperOf(database: Database, listed: readonly string[], ended: readonly string[]) {
  const asked: string[] = [];
  const restarted: string[] = [];
  const sweep = createOrphanSweeper({
    database,
    logger: pino({ level: 'silent' }),
    standings: {
      runningAmong: async (ids) => new Map(listed.filter((id) => ids.includes(id)).map((id) => [id, 'run_1'])),
      standingOf: async (id) => {
        asked.push(id);
        return ended.includes(id) ? { kind: 'ended', as: 'terminated' } : { kind: 'running', runId: 'run_1' };
      },
      versionKnown: async () => 0,
      end: async () => undefined,
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
  return { asked, restarted, pass };
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
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import { selectEventsAfter } from '../../../../prisma/queries/event.ts';
import { insertCounted, selectStatisticsTime } from '../../../../prisma/queries/statistics.ts';
import { insertPlanned } from '../../../../prisma/queries/webhook-delivery.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { planOf } from '../../../support/query-plans.ts';

/** What reads the events after a position. */
const READERS: Readonly<Record<string, Prisma.Sql>> = {
  'the planning of deliveries': insertPlanned(500).sql,
  'the statistics': insertCounted(500).sql,
  'the time of the statistics': selectStatisticsTime().sql,
  'the stream of events': selectEventsAfter(9_000, 500).sql,
};

describe('events after a cursor', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** The planner chooses by the number of rows. */
  before(async () => {
    await test.database.$executeRaw`
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, version, snapshot, position, sequence, created_at)
      SELECT 'evt_' || number, ${test.account}, 'sandbox', 'webhook_endpoint.test', 'whe_' || number, 1, '{}', number, number, now()
      FROM generate_series(1, 10000) AS number`;
    await test.database.$executeRaw`ANALYZE event`;
  });

  for (const [reader, statement] of Object.entries(READERS)) {
    it(`are read without those before it: ${reader}`, async () => {
      const nodes = await test.database.$transaction(async (transaction) => {
        // These events are small, so that the planner would rather read and sort the whole table.
        await transaction.$executeRaw`SET LOCAL enable_sort = off`;
        return planOf(transaction, statement);
      });
      const scans = nodes.filter((node) => node['Index Name'] === 'event_position_key');
      assert.deepEqual(
        scans.map((node) => /"?position"? > /.test(node['Index Cond'] ?? '')),
        [true],
      );
    });
  }
});

import assert from 'node:assert/strict';
import type { Database } from '../../prisma/connection/client.ts';
import { eventually } from './eventually.ts';

/** Waits until one statement in this database waits for a lock. */
export async function waitForBlockedStatement(database: Database): Promise<void> {
  await eventually(async () => {
    const [row] = await database.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    assert.equal(row?.waiting, 1, 'statements that wait for a lock');
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import type { Figure } from '../benchmark.ts';

/** Enough for many batches of the jobs. */
const EVENTS = 20_000;
const POLL_MS = 50;

/** Copies of an event of a payment, of all accounts alike. */
const INSERT_EVENTS = `
  INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure, snapshot, created_at)
  SELECT 'evt_' || md5(n || id), merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure, snapshot, created_at
  FROM (SELECT * FROM event WHERE payment_intent_id IS NOT NULL ORDER BY insertion DESC LIMIT 1) AS one, generate_series(1, $1) AS n`;

/**
 * How many events a second the leading worker numbers, and how many it adds to the statistics: every event of every payment passes
 * these jobs, of which one runs for all workers.
 */
export async function eventRates(databaseUrl: string): Promise<readonly Figure[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const waitUntilNone = async (statement: string): Promise<void> => {
    for (;;) {
      const { rows } = await client.query<{ left: boolean }>(`SELECT EXISTS (${statement}) AS left`);
      if (rows[0]?.left !== true) return;
      await sleep(POLL_MS);
    }
  };
  try {
    await client.query(INSERT_EVENTS, [EVENTS]);
    const startedAt = performance.now();
    const perSecond = (): number => (EVENTS / (performance.now() - startedAt)) * SECOND_MS;
    await waitUntilNone('SELECT FROM event WHERE position IS NULL');
    const numbered = perSecond();
    await waitUntilNone('SELECT FROM event WHERE position > (SELECT max(position) FROM statistics_cursor)');
    return [
      { what: 'events numbered a second', value: numbered, unit: '/s' },
      { what: 'events numbered and counted a second', value: perSecond(), unit: '/s' },
    ];
  } finally {
    await client.end();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';

/** Samples how many connections to a database are active. */
export interface ConnectionSampler {
  /** The average since the last call. */
  average(): number;
  end(): Promise<void>;
}

const EVERY_MS = 50;

/** Starts to sample the connections to a database, except its own. @param databaseUrl that of a superuser: others see only their own */
export async function sampleConnections(databaseUrl: string): Promise<ConnectionSampler> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10 * SECOND_MS });
  client.on('error', () => undefined);
  await client.connect();
  let samples: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ busy: number }>(BUSY);
      samples.push(rows[0]?.busy ?? 0);
      await sleep(EVERY_MS);
    }
  })();
  watching.catch(() => undefined);
  return {
    average() {
      const sum = samples.reduce((total, each) => total + each, 0);
      const average = sum / Math.max(samples.length, 1);
      samples = [];
      return average;
    },
    async end() {
      isOver = true;
      await watching.catch(() => undefined);
      await client.end();
    },
  };
}

const BUSY = `
  SELECT count(*)::int AS busy FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { fillAccounts } from '../fill-accounts.ts';
import { countDue, DUE_TABLES, fillDue, makeAllDue } from './fill-backlogs.ts';
import { createMerchants } from './merchants.ts';

const DUE = 50_000;
const DUE_OF_OTHER = 20;
const POLL_MS = 100;
const SWEPT_AT_MOST_S = 30;

/**
 * Times the sweeps of a few payments, refunds and stray charges beside `--intents` of each of another merchant, which have been due
 * for longer.
 */
export async function benchmarkSweepIsolation({
  startEngine,
  report,
  signal,
  sizes,
  keep,
}: Bench): Promise<readonly Figure[]> {
  const { superuserUrl, ...stack } = await startEngine();
  const { other, troubled } = await createMerchants({ superuserUrl, ...stack });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const count = sizes.intents ?? DUE;
  const figures: Figure[] = [];
  try {
    report(`Writing ${count.toLocaleString('en')} payments, refunds and stray charges …`);
    const [many, few] = [troubled.merchantAccountId, other.merchantAccountId];
    await fillAccounts(superuserUrl, [
      { merchantAccountId: many, count },
      { merchantAccountId: few, count: DUE_OF_OTHER },
    ]);
    await fillDue(superuserUrl, [many, few]);
    for (const table of DUE_TABLES) {
      await makeAllDue(superuserUrl, table, { merchantAccountId: many, since: '1 hour' });
      await makeAllDue(superuserUrl, table, { merchantAccountId: few, since: '0 seconds' });
    }
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / SECOND_MS;
    const waiting = new Set(DUE_TABLES);
    while (waiting.size > 0) {
      for (const table of waiting) {
        if ((await countDue(client, table, few)) > 0) continue;
        waiting.delete(table);
        const left = await countDue(client, table, many);
        const swept: readonly Figure[] = [
          { what: `another's rows of ${table} are swept after`, value: seconds(), unit: 's', atMost: SWEPT_AT_MOST_S },
          { what: `of ${table} with very many, still due then`, value: left, unit: '' },
        ];
        figures.push(...swept);
        keep(swept);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
    return figures;
  } finally {
    await client.end();
  }
}

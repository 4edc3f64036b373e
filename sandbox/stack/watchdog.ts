import { type ProcessRecord, stopProcess, waitForEnd } from './processes.ts';

/**
 * Outlives the process that started it, however that one ended, and then stops what it has left behind, in order:
 * those that drain by themselves first, the servers they need afterwards.
 */
let records: readonly ProcessRecord[] = [];

async function stopAll(): Promise<void> {
  const draining = records.filter(({ endsWithParent }) => endsWithParent);
  await Promise.all(draining.map((record) => waitForEnd(record, record.stopWithinMs)));
  for (const record of [...records].reverse()) await stopProcess(record);
}

// Only the process that started it ends it: signals meant for the whole terminal must not.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
// Comes from the one process that forked this one; checking it would have the whole start wait for the checker to load.
process.on('message', (message) => {
  records = message as readonly ProcessRecord[];
});
process.on('disconnect', () => {
  void stopAll().finally(() => process.exit(0));
});
// Nothing is started before this arrives: whoever is gone without a trace afterwards leaves nobody unknown.
process.send?.('ready', (error: Error | null) => {
  if (error !== null) process.exit(0);
});

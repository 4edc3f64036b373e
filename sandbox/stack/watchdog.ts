import { type ProcessRecord, stopProcess, waitForEnd } from './processes.ts';

/**
 * Outlives its parent, however that ended, and then stops the processes that the parent left, in order: first those that
 * drain by themselves, then the servers that they need.
 */
let records: readonly ProcessRecord[] = [];

async function stopAll(): Promise<void> {
  const draining = records.filter(({ endsWithParent }) => endsWithParent);
  await Promise.all(draining.map((record) => waitForEnd(record, record.stopWithinMs)));
  for (const record of [...records].reverse()) await stopProcess(record);
}

// Only its parent ends it: signals to the whole terminal must not.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
// Not parsed by a schema: the message comes from the parent, and the whole start would wait until zod is loaded.
process.on('message', (message) => {
  records = message as readonly ProcessRecord[];
});
process.on('disconnect', () => {
  void stopAll().finally(() => process.exit(0));
});
// The parent starts nothing before this arrives, so however it dies, its processes are known here.
process.send?.('ready', (error: Error | null) => {
  if (error !== null) process.exit(0);
});

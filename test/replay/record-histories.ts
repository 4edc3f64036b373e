import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { withPayment } from '../support/time-skipping.ts';
import { closeTimeSkippingServers } from '../support/time-skipping-server.ts';
import { refundInputOf } from '../support/refund-run.ts';
import { HISTORIES_DIRECTORY, readHistories } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

/**
 * `npm run record-histories [-- name …]`: writes the histories of scenarios that have none yet, or of the named ones among them.
 * A recorded history stands for payments that are under way somewhere: it is added to, never recorded anew.
 */
await mkdir(HISTORIES_DIRECTORY, { recursive: true });
const names = process.argv.slice(2);
const existing = await readHistories();
for (const [name, { providers, input, prepare, course, ofRefund }] of Object.entries(SCENARIOS)) {
  if (existing.has(name) || (names.length > 0 && !names.includes(name))) continue;
  const activities = new ScriptedActivities(providers);
  prepare?.(activities);
  await withPayment(
    activities,
    async (payment) => {
      await course(payment, activities);
      await payment.end();
      const { client, handle } = payment;
      const recorded = ofRefund === true ? client.workflow.getHandle(refundInputOf(payment).refundId) : handle;
      const history = await recorded.fetchHistory();
      const file = path.join(HISTORIES_DIRECTORY, `${name}.json`);
      await writeFile(file, `${withoutMachine(historyToJSON(history))}\n`, { flag: 'wx' });
      console.log(`${name}: ${history.events?.length ?? 0} events`);
    },
    input,
  );
}
await closeTimeSkippingServers();

/** Replay needs neither, and both tell of the machine that recorded. */
function withoutMachine(history: string): string {
  return history
    .replaceAll(/("stackTrace": )"(?:[^"\\]|\\.)*"/g, '$1""')
    .replaceAll(/("identity": )"(?:[^"\\]|\\.)*"/g, '$1"recorded"');
}

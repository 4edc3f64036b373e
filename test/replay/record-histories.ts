import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { withPayment } from '../support/time-skipping.ts';
import { closeTimeSkippingServer, withTimeSkippingServer } from '../support/time-skipping-server.ts';
import { refundInputOf } from '../support/refund-run.ts';
import { ScriptedEndpoint, startDelivery } from '../support/webhook-deliveries.ts';
import { DELIVERY_SCENARIOS } from './delivery-scenarios.ts';
import { HISTORIES_DIRECTORY, readHistories } from './histories.ts';
import { maintainSavedCard, SAVED_CARD_SCENARIOS } from './saved-card-scenarios.ts';
import { SCENARIOS } from './scenarios.ts';

/**
 * `npm run record-histories [-- name …]`: writes the histories of scenarios that have none yet, or of the named ones among them.
 * A recorded history stands for payments that are under way somewhere: it is added to, never recorded anew.
 */
const names = process.argv.slice(2);
const recordable = [SCENARIOS, DELIVERY_SCENARIOS, SAVED_CARD_SCENARIOS];
const unknown = names.find((name) => !recordable.some((scenarios) => Object.hasOwn(scenarios, name)));
if (unknown !== undefined) {
  console.error(`There is no scenario ${unknown}. Use: npm run record-histories -- [NAME …]`);
  process.exit(1);
}
const existing = await readHistories();
await mkdir(HISTORIES_DIRECTORY, { recursive: true });
const isToRecord = (name: string): boolean => !existing.has(name) && (names.length === 0 || names.includes(name));

for (const [name, { providers, input, left, prepare, steps, ofRefund }] of Object.entries(SCENARIOS)) {
  if (!isToRecord(name)) continue;
  const activities = new ScriptedActivities(providers);
  prepare?.(activities);
  await withPayment(
    activities,
    async (payment) => {
      await steps(payment, activities);
      await payment.end();
      const { client, handle } = payment;
      const recorded = ofRefund === true ? client.workflow.getHandle(refundInputOf(payment).refundId) : handle;
      await keep(name, recorded);
    },
    { ...(input === undefined ? {} : { input }), ...(left === undefined ? {} : { left }) },
  );
}
for (const [name, { script, input, steps }] of Object.entries(DELIVERY_SCENARIOS)) {
  if (!isToRecord(name)) continue;
  await withTimeSkippingServer(async ({ env, play }) => {
    play(new ScriptedEndpoint(script));
    const delivery = await startDelivery(env, input);
    await steps?.(delivery, env);
    await delivery.result();
    await keep(name, delivery);
  });
}
for (const [name, answers] of Object.entries(SAVED_CARD_SCENARIOS)) {
  if (!isToRecord(name)) continue;
  await withTimeSkippingServer(async (server) => keep(name, await maintainSavedCard(server, answers)));
}
await closeTimeSkippingServer();

async function keep(name: string, workflow: Pick<WorkflowHandle, 'fetchHistory'>): Promise<void> {
  const history = await workflow.fetchHistory();
  const file = path.join(HISTORIES_DIRECTORY, `${name}.json`);
  await writeFile(file, `${withoutMachine(historyToJSON(history))}\n`, { flag: 'wx' });
  console.log(`${name}: ${history.events?.length ?? 0} events`);
}

/** Replay needs neither, and both identify the machine that recorded. */
function withoutMachine(history: string): string {
  return history
    .replaceAll(/("stackTrace": )"(?:[^"\\]|\\.)*"/g, '$1""')
    .replaceAll(/("identity": )"(?:[^"\\]|\\.)*"/g, '$1"recorded"');
}

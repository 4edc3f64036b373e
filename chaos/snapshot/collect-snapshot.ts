import { knownSecrets } from '../engine/known-secrets.ts';
import { readWebhookRecord } from '../engine/webhook-record.ts';
import type { RunContext } from '../run-context.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { readLedger } from './ledger.ts';
import { readRows } from './read-rows.ts';
import { readScheduledAttempts } from './read-scheduled-attempts.ts';
import { readWorkflows } from './read-workflows.ts';
import { searchSecrets } from './search-secrets.ts';
import type { SecretSearch, Snapshot } from './snapshot.ts';

/** Histories of webhook deliveries that are read event by event: there are many, and they are alike. */
const MAXIMUM_DELIVERIES = 300;

/** Reads the state of all parts of the system and of its clients. */
export async function collectSnapshot(
  context: RunContext,
  traffic: Traffic,
  observed: Pick<Snapshot, 'secrets' | 'inactivePeriods' | 'unadvisedWaits' | 'failedExits'>,
): Promise<Snapshot> {
  const { engine, database, temporal, socket, memory } = context;
  const { sandbox } = engine.stack;
  const { received, rejections } = await readWebhookRecord(engine.webhookRecordFile);
  return {
    ...(await readRows(database, sandbox.merchantId)),
    ledger: await readLedger(engine.providers),
    workflows: await readWorkflows(temporal),
    scheduledAttempts: await readScheduledAttempts(temporal),
    atMs: Date.now(),
    tries: [...traffic.tries],
    operatorActions: [...traffic.operatorActions],
    webhooks: received,
    rejectedWebhooks: rejections,
    socketEvents: [...socket.frames],
    unexpectedFrames: [...socket.unexpectedFrames],
    ...observed,
    memoryPeaks: new Map(memory.peaks),
  };
}

/** Searches everything that the run stored or logged for secrets. */
export async function searchEverything(
  { engine, database, temporal }: RunContext,
  { clientSecrets }: Traffic,
): Promise<SecretSearch> {
  const ids = [...(await readWorkflows(temporal)).keys()];
  const deliveries = ids.filter((id) => id.startsWith('whd_'));
  return searchSecrets({
    secrets: await knownSecrets(engine),
    clientSecrets,
    dataDir: engine.dataDir,
    webhookRecordFile: engine.webhookRecordFile,
    database,
    temporal,
    hasTemporalFiles: engine.hasOwnServers,
    workflowIds: [...ids.filter((id) => !id.startsWith('whd_')), ...deliveries.slice(0, MAXIMUM_DELIVERIES)],
  });
}

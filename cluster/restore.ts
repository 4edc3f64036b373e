import { execFile } from 'node:child_process';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { createSettlementClient } from '../chaos/traffic/settlement-client.ts';
import { readTemporaryStackConfig } from '../config/sandbox.ts';
import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { findFreePorts } from '../sandbox/stack/ports.ts';
import { startStack, type Stack } from '../sandbox/stack/stack.ts';
import { card } from '../sandbox/test-payment-methods.ts';
import { createClient } from '../sdk/server/index.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { PAYMENT_SCENARIOS, type PaymentScenario, type Shop } from './payment-scenarios.ts';
import { archiveOf, writeAsOwner } from './postgres-pair.ts';
import {
  type FoundDifference,
  type MadePayment,
  readRestored,
  reconcileSince,
  type RestoredPayment,
} from './restored-state.ts';
import { type ClusterServers, DATABASE_NAMES, type DatabaseName, newPasswords, startServers } from './servers.ts';
import { NAMESPACE } from './temporal-cluster.ts';

export interface RestoreOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** Which databases go back to the moment; the others keep everything. */
const CASES: readonly { readonly title: string; readonly restored: readonly DatabaseName[] }[] = [
  { title: 'both databases restored to one moment', restored: ['engine', 'temporal'] },
  { title: "the engine's database restored, Temporal's kept", restored: ['engine'] },
  { title: "Temporal's database restored, the engine's kept", restored: ['temporal'] },
];
const PAYMENTS_PER_SCENARIO = 4;
/** The sweeper checks a payment within this time, and another run has taken it over. */
const SETTLE_MS = 75 * SECOND_MS;

const run = promisify(execFile);

/** Makes payments, restores one database or both to a moment between them, and reconciles. @returns whether nothing stayed unnoticed */
export async function tryRestores(options: RestoreOptions): Promise<boolean> {
  const installation = await createInstallation(options);
  let moment = new Date();
  const made: MadePayment[] = [];
  await installation.run({ archives: true }, async ({ servers, shop }) => {
    for (const name of DATABASE_NAMES) await servers.databases[name].copyTo(clusterPath(options.folder, name, 'base'));
    options.report(`Making ${PAYMENT_SCENARIOS.length * PAYMENTS_PER_SCENARIO} payments …`);
    moment = await makePayments(shop, made);
  });
  await installation.keep();
  let isNoticed = true;
  for (const { title, restored } of CASES) {
    options.signal.throwIfAborted();
    options.report(`\n${title}: ${moment.toISOString()}`);
    await installation.restore(restored, moment);
    await installation.run({ archives: false }, async (running) => {
      isNoticed = (await examine(running, made, moment, options)) && isNoticed;
    });
  }
  return isNoticed;
}

interface Running {
  readonly servers: ClusterServers;
  readonly stack: Stack;
  readonly dataDir: string;
  readonly temporal: Client;
  readonly shop: Shop;
}

/** An engine with servers whose data outlives each run. */
async function createInstallation({ folder, signal, report }: RestoreOptions) {
  const [api = 0, postgres = 0, temporal = 0, temporalUi = 0, simulatorAlpha = 0, simulatorBeta = 0, worker = 0] =
    await findFreePorts(7);
  const ports = { api, postgres, temporal, temporalUi, simulatorAlpha, simulatorBeta, worker };
  const dataDir = path.join(folder, 'engine');
  const passwords = newPasswords();
  const copy = async (from: string, to: string): Promise<void> => {
    await rm(to, { recursive: true, force: true });
    await run('cp', ['-a', from, to], { timeout: MINUTE_MS });
  };
  const simulators = path.join(dataDir, 'simulators');
  return {
    async run({ archives }: { readonly archives: boolean }, work: (running: Running) => Promise<void>): Promise<void> {
      const servers = await startServers({ folder, passwords, standby: null, archives, signal, report });
      const { databaseUrl, temporalAddress } = servers;
      try {
        const stack = await startStack({
          ...readTemporaryStackConfig(),
          dataDir,
          ports,
          databaseUrl,
          temporalAddress,
          signal,
        });
        const client = createTemporalClient({ address: temporalAddress, namespace: NAMESPACE });
        try {
          const shop = {
            api: createClient(stack.sandbox),
            settlements: createSettlementClient(stack.sandbox.simulators),
          };
          await work({ servers, stack, dataDir, temporal: client, shop });
        } finally {
          await client.connection.close();
          await stack.stop();
        }
      } finally {
        await servers.stop();
      }
    },
    /** Keeps the data of databases and simulators as they are now, for every restore. */
    async keep(): Promise<void> {
      for (const name of DATABASE_NAMES) {
        await mkdir(path.dirname(clusterPath(folder, name, 'kept')), { recursive: true });
        await rename(clusterPath(folder, name, 'primary'), clusterPath(folder, name, 'kept'));
      }
      await copy(simulators, `${simulators}.kept`);
    },
    /** Providers forget nothing. */
    async restore(restored: readonly DatabaseName[], moment: Date): Promise<void> {
      await copy(`${simulators}.kept`, simulators);
      for (const name of DATABASE_NAMES) {
        const cluster = clusterPath(folder, name, 'primary');
        await copy(clusterPath(folder, name, restored.includes(name) ? 'base' : 'kept'), cluster);
        if (restored.includes(name)) await recoverUntil(cluster, archiveOf(folder, name), moment);
      }
    },
  };
}

function clusterPath(folder: string, name: DatabaseName, what: 'primary' | 'base' | 'kept'): string {
  return what === 'primary' ? path.join(folder, `${name}-primary`, 'postgres') : path.join(folder, `${name}-${what}`);
}

/** At its next start, the server recovers what was committed until the moment, and nothing after it. */
async function recoverUntil(cluster: string, archive: string, moment: Date): Promise<void> {
  const settings = {
    restore_command: `cp ${archive}/%f "%p"`,
    recovery_target_time: moment.toISOString().replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), lines.join(''));
  await writeAsOwner(path.join(cluster, 'recovery.signal'), '');
}

/** @returns the moment between what comes before and what comes after */
async function makePayments(shop: Shop, made: MadePayment[]): Promise<Date> {
  const forEach = async (work: (scenario: PaymentScenario) => Promise<void>): Promise<void> => {
    for (let number = 0; number < PAYMENTS_PER_SCENARIO; number += 1) {
      await Promise.all(PAYMENT_SCENARIOS.map(work));
    }
  };
  await forEach(async ({ title, before }) => {
    if (before !== undefined) made.push({ scenario: title, id: await before(shop) });
  });
  await sleep(3 * SECOND_MS);
  const moment = new Date();
  await sleep(3 * SECOND_MS);
  for (const { scenario, id } of [...made]) {
    await PAYMENT_SCENARIOS.find(({ title }) => title === scenario)?.after?.(shop, id);
  }
  await forEach(async ({ title, created }) => {
    if (created !== undefined) made.push({ scenario: title, id: await created(shop) });
  });
  await sleep(3 * SECOND_MS);
  return moment;
}

/** Follows the runbook of docs/operations/restore.md. @returns whether every payment that differs from the providers was found */
async function examine(
  { stack, dataDir, temporal, shop }: Running,
  made: readonly MadePayment[],
  moment: Date,
  { signal, report }: RestoreOptions,
): Promise<boolean> {
  const read = () => readRestored(made, stack, temporal);
  const from = new Date(moment.getTime() - MINUTE_MS);
  await sleep(SETTLE_MS, undefined, { signal });
  show('after the start', await read(), report);
  await reconcileSince(from, dataDir);
  await sleep(SETTLE_MS / 3, undefined, { signal });
  const reconciled = await read();
  show('after npm run reconcile', reconciled, report);
  const halted = reconciled.filter(({ workflow }) => workflow === 'halted');
  for (const { id } of halted) await temporal.workflow.getHandle(id).terminate('compared after the restore');
  if (halted.length > 0) report(`  terminated ${halted.length} halted workflows`);
  await sleep(halted.length > 0 ? SETTLE_MS : 0, undefined, { signal });
  const differences = await reconcileSince(from, dataDir);
  await sleep(SETTLE_MS / 3, undefined, { signal });
  const settled = await read();
  show('after the halted workflows were terminated, and npm run reconcile', settled, report);
  const unnoticed = settled.filter((payment) => !payment.agrees && !isFound(payment, differences));
  report(`  differ: ${settled.filter(({ agrees }) => !agrees).length}, of which not reported: ${unnoticed.length}`);
  for (const [kind, count] of countsOf(differences.map((each) => `${each.action} ${each.kind}`)))
    report(`    ${kind}: ${count}`);
  await payAgain(shop, settled, report);
  const repeated = await read();
  show('after the open ones were paid again with the same card', repeated, report);
  return unnoticed.length === 0 && repeated.every(({ charges }) => charges <= 1);
}

function isFound({ id }: RestoredPayment, differences: readonly FoundDifference[]): boolean {
  return differences.some(
    ({ paymentIntentId, attemptId }) => id === (paymentIntentId ?? paymentIntentIdOfAttempt(attemptId ?? '')),
  );
}

/** Customers whose payment is open again may pay once more. */
async function payAgain(
  { api }: Shop,
  payments: readonly RestoredPayment[],
  report: RestoreOptions['report'],
): Promise<void> {
  for (const { id, row, provider } of payments) {
    if (row !== 'requires_payment_method' || provider === 'nothing') continue;
    await api.paymentIntents
      .confirm(id, { paymentMethod: card('approved') })
      .catch((error: unknown) => report(`  ${String(error)}`));
  }
}

function show(title: string, payments: readonly RestoredPayment[], report: RestoreOptions['report']): void {
  report(`  ${title}`);
  const lines = payments.map(
    ({ scenario, row, workflow, provider, agrees }) =>
      `${scenario.padEnd(34)} row ${row.padEnd(24)} workflow ${workflow.padEnd(11)} providers ${provider.padEnd(12)} ${agrees ? 'agrees' : 'DIFFERS'}`,
  );
  for (const [line, count] of countsOf(lines)) report(`    ${String(count).padStart(2)} × ${line}`);
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

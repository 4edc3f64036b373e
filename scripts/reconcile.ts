import { parseArgs } from 'node:util';
import { readReconcileConfig } from '../config/commands.ts';
import type { ReconciliationProgress } from '../domain/reconciliation.ts';
import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import { createDatabase, type Database } from '../prisma/connection/client.ts';
import type { ReconciliationDifference } from '../prisma/generated/client.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { settingsOfInstallation } from '../sandbox/stack/installation.ts';
import { readKeyring } from '../vault/key-providers.ts';
import { createPayloadCodec } from '../vault/payload-codec.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { createReconciliations } from '../workflow-client/reconciliations.ts';
import { readArguments } from './command-arguments.ts';
import { reconcileProviders } from './reconcile-providers.ts';

const USAGE = `Use: npm run reconcile -- [--provider NAME] [--from TIME] [--to TIME] [--json]
Compares the payments of a provider, or of every provider with a route and every active account of a merchant, with ours: repairs
what rules allow, and reports the rest. Times are ISO 8601 with a zone, such as 2026-11-23T00:00:00Z. Without --from it
continues where the last run ended; without --to it leaves out the last five minutes. The exit code is 1 where a difference was only reported, or a run failed.`;

type Options = ReturnType<typeof readOptions>;

interface ReconciledAccount {
  readonly name: string;
  readonly merchantAccountId: string;
  readonly environment: string;
}

interface ReconciledProvider {
  readonly name: string;
  readonly account: ReconciledAccount | null;
}

/** A run that has ended, and what it found. */
interface Report extends ReconciliationProgress {
  /** Whose account at the provider it is; null where accounts share the provider. */
  readonly account: ReconciledAccount | null;
  readonly differences: readonly Omit<ReconciliationDifference, 'runId'>[];
}

/** `npm run reconcile`: compares the payments of providers with ours now, by the workers that run. */
await runScript(async () => {
  const options = readOptions();
  const config = readReconcileConfig(await settingsOfInstallation());
  const { encryptPayloads: encrypts } = config.temporal;
  const client = createTemporalClient(config.temporal, [createPayloadCodec(await readKeyring(config), { encrypts })]);
  await waitForDatabase(config.databaseUrl, { giveUpAfterMs: 0 });
  const database = createDatabase({ url: config.databaseUrl, poolSize: 1 });
  try {
    const providers = await providersOf(options, database);
    const names = providers.map(({ name }) => name);
    const { ended, hasFailed } = await reconcileProviders(createReconciliations(client), names, options);
    const reports: Report[] = [];
    for (const run of ended) {
      const account = providers.find(({ name }) => name === run.provider)?.account ?? null;
      reports.push({ ...run, account, differences: await differencesOf(database, run) });
    }
    if (options.json) console.log(JSON.stringify(reports, null, 2));
    else reports.forEach(show);
    const isExplained = reports.every(({ status, reported }) => status === 'completed' && reported === 0);
    process.exitCode = isExplained && !hasFailed ? 0 : 1;
  } finally {
    await Promise.all([database.$disconnect(), client.connection.close()]);
  }
});

async function providersOf({ provider }: Options, database: Database): Promise<readonly ReconciledProvider[]> {
  const accounts = await database.providerAccount.findMany({
    where: provider === undefined ? { status: 'active' } : { id: provider },
    orderBy: { createdAt: 'asc' },
    select: { id: true, name: true, merchantAccountId: true, environment: true },
  });
  const ofAccounts = accounts.map(({ id, ...account }) => ({ name: id, account }));
  if (provider !== undefined) return ofAccounts.length > 0 ? ofAccounts : [{ name: provider, account: null }];
  const routes = await database.paymentRoute.findMany({
    distinct: ['provider'],
    orderBy: { provider: 'asc' },
    select: { provider: true },
  });
  const configured = routes.filter((route) => kindOfProviderAccount(route.provider) === undefined);
  return [...configured.map((route) => ({ name: route.provider, account: null })), ...ofAccounts];
}

async function differencesOf(database: Database, { runId }: ReconciliationProgress): Promise<Report['differences']> {
  return database.reconciliationDifference.findMany({
    where: { runId },
    orderBy: { number: 'asc' },
    omit: { runId: true },
  });
}

function show({ account, differences, ...run }: Report): void {
  const { provider, runId, status, from, to, error, compared, repaired, reported } = run;
  const owner = account === null ? '' : ` (${account.name}, ${account.merchantAccountId}, ${account.environment})`;
  console.log(`\n${provider}${owner}  ${from} to ${to}  ${status}${error === null ? '' : `: ${error}`}  (${runId})`);
  console.table([{ compared, repaired, reported }]);
  if (differences.length === 0) return;
  console.table(
    differences.map(({ action, kind, paymentIntentId, attemptId, refundId, providerPaymentId, ours, theirs }) => ({
      action,
      kind,
      // An attempt that a restored database has lost still names its payment.
      'payment or refund': refundId ?? paymentIntentId ?? paymentIntentIdOfAttempt(attemptId ?? '') ?? 'unknown',
      'at the provider': providerPaymentId ?? 'unknown',
      ours: JSON.stringify(ours),
      theirs: JSON.stringify(theirs),
    })),
  );
}

function readOptions() {
  const text = { type: 'string' } as const;
  return readArguments(USAGE, () => {
    const { values } = parseArgs({ options: { provider: text, from: text, to: text, json: { type: 'boolean' } } });
    const from = timeOf('from', values.from);
    const to = timeOf('to', values.to);
    if (from !== undefined && to !== undefined && from >= to) throw new Error('--from must be before --to.');
    return { provider: values.provider, from, to, json: values.json ?? false };
  });
}

/** @returns ISO 8601 UTC */
function timeOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const time = new Date(value);
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  if (Number.isNaN(time.getTime()) || !hasZone) throw new Error(`--${name} is no time with a zone: ${value}`);
  if (time.getTime() > Date.now()) throw new Error(`--${name} is in the future: ${value}`);
  return time.toISOString();
}

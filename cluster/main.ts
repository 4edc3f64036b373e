import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeFindings, hasProblems, resultOf, resultTable } from '../chaos/report.ts';
import { type ChaosRun, type ChaosTarget, type DuringTraffic, runChaos } from '../chaos/run.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { createTemporalClient } from '../workflows/client/connection.ts';
import { disturb } from './disturb.ts';
import { buildRelease, withEarlierRelease } from './earlier-release.ts';
import { type ClusterOptions, readClusterOptions } from './options.ts';
import { type RestoreOptions, tryRestores } from './restore.ts';
import { readBuildId, readVersionedRuns } from './run-versions.ts';
import { type ClusterServers, newPasswords, startServers } from './servers.ts';
import { NAMESPACE } from './temporal-cluster.ts';
import { createUpgrade } from './upgrade.ts';
import { upgradeResult, upgradeTable } from './upgrade-report.ts';

const SEEDS = 1_000_000;
const EARLIER_RELEASE = path.join(PROJECT_ROOT, '.data', 'cluster', 'earlier-release');

/** Tries a cluster, and exits with code 1 if a check fails. */
async function main(): Promise<void> {
  const options = readClusterOptions(process.argv.slice(2), Math.floor(Math.random() * SEEDS));
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const folder = await mkdtemp(path.join(tmpdir(), 'payment-cluster-'));
  const place = { folder, signal: stop.signal, report: (line: string) => console.log(line) };
  try {
    const holds = await (options.restores ? tryRestores(place) : runTraffic(place, options));
    if (!holds) process.exitCode = 1;
  } catch (error) {
    throw stop.signal.aborted ? new UserError('Stopped before everything was checked.') : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs chaos against servers of several processes each. @returns whether all checks hold */
async function runTraffic(place: RestoreOptions, options: ClusterOptions): Promise<boolean> {
  const servers = await startServers({ ...place, passwords: newPasswords(), standby: options.failover });
  try {
    const { upgradesFrom } = options;
    const during = disturb.bind(null, servers, options);
    return await (upgradesFrom === null
      ? runAndReport(place, options.traffic, { servers, during })
      : runUpgrade(place, { ...options, upgradesFrom, servers }));
  } finally {
    await servers.stop();
  }
}

/** @param added describes and gives what a run has besides @returns whether all checks hold */
async function runAndReport(
  { signal, report }: RestoreOptions,
  traffic: ClusterOptions['traffic'],
  target: ChaosTarget,
  added: (run: ChaosRun) => Promise<Addition> = () => Promise.resolve({ figures: {}, table: '', holds: true }),
): Promise<boolean> {
  const run = await runChaos(traffic, signal, report, target);
  const { figures, table, holds } = await added(run);
  const paymentsPerSecond = (run.payments * SECOND_MS) / (traffic.minutes * MINUTE_MS);
  const result = { ...resultOf(run, traffic), paymentsPerSecond, ...figures };
  if (hasProblems(run.findings)) report(`\n${describeFindings(run.findings, run.snapshot, traffic.seed)}`);
  report(`\n${resultTable(result)}\n${paymentsPerSecond.toFixed(1)} payments a second${table}`);
  if (traffic.file !== undefined) await writeFile(traffic.file, `${JSON.stringify(result, null, 2)}\n`);
  return holds && !hasProblems(run.findings);
}

interface Addition {
  readonly figures: object;
  readonly table: string;
  readonly holds: boolean;
}

/** Starts an earlier release, and upgrades everything to this one under traffic. @returns whether all checks hold */
function runUpgrade(
  place: RestoreOptions,
  options: ClusterOptions & { readonly upgradesFrom: string; readonly servers: ClusterServers },
): Promise<boolean> {
  const { upgradesFrom, servers, traffic } = options;
  const { databaseUrl, temporalAddress } = servers;
  return withEarlierRelease(EARLIER_RELEASE, upgradesFrom, async (release) => {
    place.report(`Building ${upgradesFrom} (1 to 5 minutes) …`);
    await buildRelease(release);
    const [earlierBuildId, presentBuildId] = await Promise.all([readBuildId(release), readBuildId()]);
    const isSame = earlierBuildId === presentBuildId;
    const { minutes } = traffic;
    const upgrade = createUpgrade({ ...place, databaseUrl, minutes, earlierBuildId: isSame ? null : earlierBuildId });
    const during = async (context: DuringTraffic): Promise<void> => {
      await Promise.all([disturb(servers, options, context), upgrade.during(context)]);
    };
    return runAndReport(place, traffic, { servers, release, during }, async ({ snapshot }) => {
      const temporal = createTemporalClient({ address: temporalAddress, namespace: NAMESPACE });
      const runs = await readVersionedRuns(temporal, [...new Set([earlierBuildId, presentBuildId])]);
      await temporal.connection.close();
      const result = upgradeResult({ ...upgrade, runs, earlierBuildId }, snapshot);
      return {
        figures: { upgrade: result },
        table: `\n\n${upgradeTable(result)}`,
        holds: result.problems.length === 0,
      };
    });
  });
}

await runScript(main);
process.exit();

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeFindings, hasProblems, resultOf, resultTable } from '../chaos/report.ts';
import { type ChaosTarget, type DuringTraffic, runChaos } from '../chaos/run.ts';
import type { Snapshot } from '../chaos/snapshot/snapshot.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { disturb } from './disturb.ts';
import { buildRelease, withEarlierRelease } from './earlier-release.ts';
import type { ClusterOptions } from './options.ts';
import type { RestoreOptions } from './restore.ts';
import { readBuildId, readVersionedRuns } from './run-versions.ts';
import { type ClusterServers, newPasswords, startServers } from './servers.ts';
import { NAMESPACE } from './temporal-cluster.ts';
import { createUpgrade } from './upgrade.ts';
import { type UpgradeResult, upgradeResult, upgradeTable } from './upgrade-report.ts';

/** Inside the project, so that packages can be linked. */
const EARLIER_RELEASE = path.join(PROJECT_ROOT, '.data', 'cluster', 'earlier-release');

/** Runs chaos against servers of several processes each. @returns whether all checks hold */
export function runTraffic(place: RestoreOptions, options: ClusterOptions): Promise<boolean> {
  const { upgradesFrom } = options;
  if (upgradesFrom !== null) {
    return withEarlierRelease(EARLIER_RELEASE, upgradesFrom, async (release) => {
      place.report(`Building ${upgradesFrom} (1 to 5 minutes) …`);
      await buildRelease(release);
      return withServers(place, options, (servers) => runUpgrade(place, options, { servers, release }));
    });
  }
  return withServers(place, options, (servers) =>
    runAndReport(place, options, { servers, during: disturb.bind(null, servers, options) }),
  );
}

async function withServers(
  place: RestoreOptions,
  { failover: standby }: ClusterOptions,
  work: (servers: ClusterServers) => Promise<boolean>,
): Promise<boolean> {
  const servers = await startServers({ ...place, passwords: newPasswords(), standby });
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

/** @param readUpgrade reads what became of an upgrade, where there was one @returns whether all checks hold */
async function runAndReport(
  { signal, report }: RestoreOptions,
  { traffic }: ClusterOptions,
  target: ChaosTarget,
  readUpgrade?: (snapshot: Snapshot) => Promise<UpgradeResult>,
): Promise<boolean> {
  const run = await runChaos(traffic, signal, report, target);
  const upgrade = await readUpgrade?.(run.snapshot);
  const paymentsPerSecond = (run.payments * SECOND_MS) / (traffic.minutes * MINUTE_MS);
  const result = { ...resultOf(run, traffic), paymentsPerSecond, upgrade };
  if (hasProblems(run.findings)) report(`\n${describeFindings(run.findings, run.snapshot, traffic.seed)}`);
  report(`\n${resultTable(result)}\n${paymentsPerSecond.toFixed(1)} payments a second`);
  if (upgrade !== undefined) report(`\n${upgradeTable(upgrade)}`);
  if (traffic.file !== undefined) await writeFile(traffic.file, `${JSON.stringify(result, null, 2)}\n`);
  return !hasProblems(run.findings) && (upgrade?.problems ?? []).length === 0;
}

/** Starts the earlier release, and upgrades everything to this one under traffic. @returns whether all checks hold */
async function runUpgrade(
  place: RestoreOptions,
  options: ClusterOptions,
  { servers, release }: { readonly servers: ClusterServers; readonly release: string },
): Promise<boolean> {
  const { databaseUrl, temporalAddress } = servers;
  const { minutes } = options.traffic;
  const [earlierBuildId, presentBuildId] = await Promise.all([readBuildId(release), readBuildId()]);
  const hasOwnVersion = earlierBuildId !== presentBuildId;
  if (!hasOwnVersion) place.report('Both releases have the same workflow code, so it is one version.');
  const upgrade = createUpgrade({
    ...place,
    databaseUrl,
    minutes,
    earlierBuildId: hasOwnVersion ? earlierBuildId : null,
  });
  const during = async (context: DuringTraffic): Promise<void> => {
    await Promise.all([disturb(servers, options, context), upgrade.during(context)]);
  };
  return runAndReport(place, options, { servers, release, during }, async (snapshot) => {
    const temporal = createTemporalClient({ address: temporalAddress, namespace: NAMESPACE });
    const runs = await readVersionedRuns(temporal, [...new Set([earlierBuildId, presentBuildId])]);
    await temporal.connection.close();
    return upgradeResult({ ...upgrade, runs, earlierBuildId }, snapshot);
  });
}

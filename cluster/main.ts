import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeFindings, hasProblems, resultOf, resultTable } from '../chaos/report.ts';
import { runChaos } from '../chaos/run.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { disturb } from './disturb.ts';
import { type ClusterOptions, readClusterOptions } from './options.ts';
import { type RestoreOptions, tryRestores } from './restore.ts';
import { newPasswords, startServers } from './servers.ts';

const SEEDS = 1_000_000;

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
  const { signal, report } = place;
  const { traffic, failover: standby } = options;
  const servers = await startServers({ ...place, passwords: newPasswords(), standby });
  try {
    const run = await runChaos(traffic, signal, report, { servers, during: disturb.bind(null, servers, options) });
    const paymentsPerSecond = (run.payments * SECOND_MS) / (traffic.minutes * MINUTE_MS);
    const result = { ...resultOf(run, traffic), paymentsPerSecond };
    if (hasProblems(run.findings)) report(`\n${describeFindings(run.findings, run.snapshot, traffic.seed)}`);
    report(`\n${resultTable(result)}\n${paymentsPerSecond.toFixed(1)} payments a second`);
    if (traffic.file !== undefined) await writeFile(traffic.file, `${JSON.stringify(result, null, 2)}\n`);
    return !hasProblems(run.findings);
  } finally {
    await servers.stop();
  }
}

await runScript(main);
process.exit();

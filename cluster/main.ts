import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeFindings, hasProblems, resultOf, resultTable } from '../chaos/report.ts';
import { runChaos } from '../chaos/run.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { disturb } from './disturb.ts';
import { readClusterOptions } from './options.ts';
import { newPasswords, startServers } from './servers.ts';

const SEEDS = 1_000_000;

/** Runs traffic against an engine and servers of several processes each, and exits with code 1 if a check fails afterwards. */
async function main(): Promise<void> {
  const options = readClusterOptions(process.argv.slice(2), Math.floor(Math.random() * SEEDS));
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const report = (line: string) => console.log(line);
  const folder = await mkdtemp(path.join(tmpdir(), 'payment-cluster-'));
  const { failover: standby } = options;
  try {
    const servers = await startServers({ folder, passwords: newPasswords(), standby, signal: stop.signal, report });
    try {
      const during = disturb.bind(null, servers, options);
      const run = await runChaos(options.traffic, stop.signal, report, { servers, during });
      const { findings, snapshot, payments } = run;
      const result = { ...resultOf(run, options.traffic), paymentsPerSecond: payments / (options.traffic.minutes * 60) };
      if (hasProblems(findings)) console.log(`\n${describeFindings(findings, snapshot, options.traffic.seed)}`);
      console.log(`\n${resultTable(result)}\n${result.paymentsPerSecond.toFixed(1)} payments a second`);
      if (options.traffic.file !== undefined) {
        await writeFile(options.traffic.file, `${JSON.stringify(result, null, 2)}\n`);
      }
      if (hasProblems(findings)) process.exitCode = 1;
    } finally {
      await servers.stop();
    }
  } catch (error) {
    throw stop.signal.aborted ? new UserError('Stopped before everything was checked.') : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runScript(main);
process.exit();

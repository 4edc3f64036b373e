import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { readClusterOptions } from './options.ts';
import { tryRestores } from './restore.ts';
import { runTraffic } from './run-traffic.ts';

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

await runScript(main);
process.exit();

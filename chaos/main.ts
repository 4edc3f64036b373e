import { writeFile } from 'node:fs/promises';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { readOptions } from './options.ts';
import { describeFindings, hasProblems, resultOf, resultTable } from './report.ts';
import { runChaos } from './run.ts';

const SEEDS = 1_000_000;

/** Runs the system under faults, and exits with code 1 if a check fails afterwards. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), Math.floor(Math.random() * SEEDS));
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  console.log(`Chaos for ${options.minutes} minutes with seed ${options.seed}.`);
  const run = await runChaos(options, stop.signal, (line) => console.log(line)).catch((error: unknown) => {
    throw stop.signal.aborted ? new UserError('Stopped before everything was checked.') : error;
  });
  const result = resultOf(run, options);
  if (hasProblems(run.findings)) console.log(`\n${describeFindings(run.findings, run.snapshot, options.seed)}`);
  console.log(`\n${resultTable(result)}`);
  if (options.file !== undefined) await writeFile(options.file, `${JSON.stringify(result, null, 2)}\n`);
  if (hasProblems(run.findings)) process.exitCode = 1;
}

await runScript(main);
process.exit();

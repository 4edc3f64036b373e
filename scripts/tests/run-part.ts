import { type ChildProcess, fork, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { SECOND_MS } from '../../domain/time.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { CHAOS_MINUTES, nameOf, type Part } from './parts.ts';
import { describeCounts, type PartResult, type Report, reportSchema } from './results.ts';

const NOTHING: Report = { files: [], fileTimes: [], startTimes: [] };

/**
 * Runs a part in a process of its own.
 * @param options which tests of a suite to run
 * @param output with `pipe`, what the part prints is shown when it has ended
 */
export function runPart(part: Part, options: readonly string[], output: 'inherit' | 'pipe'): Promise<PartResult> {
  return part.suite === 'chaos' ? runChaos(part) : runSuite(part, options, output);
}

async function runSuite(part: Part, options: readonly string[], output: 'inherit' | 'pipe'): Promise<PartResult> {
  const { suite, shard, files = [] } = part;
  const name = nameOf(part);
  const end = begin(`${name} tests${output === 'pipe' ? ', beside the others' : ''}`);
  const chosen = [...(shard === undefined ? [] : [`--shard=${shard}`]), ...files.map((file) => `--file=${file}`)];
  const child = fork(path.join(DIST_DIR, 'test', 'support', 'run-suite.js'), [suite, ...chosen, ...options], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', output, output, 'ipc'],
  });
  let report: Report | undefined;
  child.on('message', (message) => {
    report = reportSchema.parse(message);
  });
  const code = await endOf(child);
  return end({ name, suite, ...checkReport(name, code, report) });
}

/** A suite that ends without a report, or badly in spite of it, has one more failure. */
function checkReport(name: string, code: number | null, report: Report | undefined): Report {
  const isFailed = report?.files.some(({ failed }) => failed.length > 0) === true;
  if (report !== undefined && (code === 0 || isFailed)) return report;
  const { files, ...times } = report ?? NOTHING;
  return { ...times, files: [...files, failureOf(`the ${name} tests ended early (exit code ${code ?? 'none'}).`)] };
}

async function runChaos(part: Part): Promise<PartResult> {
  const { suite, seed = 0, isTrial = false } = part;
  const name = nameOf(part);
  const end = begin(`${name}, beside the others`);
  const args = ['--minutes', String(CHAOS_MINUTES), '--seed', String(seed)];
  const child = spawn(process.execPath, [path.join(DIST_DIR, 'chaos', 'main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = await endOf(child);
  const result = { ...NOTHING, name, suite };
  const command = `npm run chaos -- ${args.join(' ')}`;
  if (!isTrial)
    return end({ ...result, files: [code === 0 ? PASSED : failureOf(`${command} (exit code ${code ?? 'none'}).`)] });
  const advice = `Chaos with a new seed failed, which does not fail this run. Look into it first. To repeat it: ${command}`;
  return end(code === 0 ? result : { ...result, advice }, code === 0 ? 'passed' : 'failed');
}

const PASSED = { file: null, passes: 1, failed: [], skipped: [] };

function failureOf(title: string): Report['files'][number] {
  return { file: null, passes: 0, failed: [{ title, error: '' }], skipped: [] };
}

/** Prints that something begins; the answer prints how it ended. */
function begin(title: string): (result: Omit<PartResult, 'seconds'>, outcome?: string) => PartResult {
  const startedAt = performance.now();
  console.log(`\n── ${title}`);
  return (result, outcome = describeCounts(result.files)) => {
    const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
    console.log(`── ${result.name}: ${outcome}, in ${seconds} s`);
    return { ...result, seconds };
  };
}

/** Shows what a process has printed when it has ended. @returns its exit code */
function endOf(child: ChildProcess): Promise<number | null> {
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      resolve(code);
    });
  });
}

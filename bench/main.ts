import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SentenceError } from '../domain/sentence-error.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { runScript } from '../scripts/sentence-error.ts';
import { startTemporaryStack, type TemporaryStack } from '../scripts/temporary-stack.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { figureTable, holds } from './figure-table.ts';
import { benchmarkLists } from './lists.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = { lists: benchmarkLists };
const NAMES = Object.keys(BENCHMARKS).join(', ');
const USAGE = `npm run bench -- NAME [--json FILE], where NAME is one of: ${NAMES}`;
/** Limits that would only measure themselves. */
const SETTINGS = { RATE_LIMIT_SANDBOX: '10000000', RATE_LIMIT_UNAUTHENTICATED: '10000000', LOG_LEVEL: 'warn' };
const LIMIT_MS = 3 * MINUTE_MS;

/** Runs one benchmark, prints its figures, and ends with exit code 1 where one of them breaks its promise. */
async function main(): Promise<void> {
  const { name, file } = readArguments();
  const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
  if (benchmark === undefined) throw new SentenceError(`There is no benchmark "${name}". ${USAGE}`);
  const figures = await run(benchmark);
  console.log(`\n${figureTable(figures)}`);
  if (file !== undefined) {
    await writeFile(file, `${JSON.stringify({ benchmark: name, at: new Date().toISOString(), figures }, null, 2)}\n`);
  }
  if (!figures.every(holds)) process.exitCode = 1;
}

function readArguments(): { readonly name: string; readonly file: string | undefined } {
  try {
    const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
    const [name, ...others] = positionals;
    if (name !== undefined && others.length === 0) return { name, file: values.json };
  } catch {
    // The sentence below says what can be given.
  }
  throw new SentenceError(USAGE);
}

async function run(benchmark: Benchmark): Promise<readonly Figure[]> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)]);
  const report = (line: string) => console.log(line);
  const engines: TemporaryStack[] = [];
  try {
    return await benchmark({
      signal,
      report,
      startEngine: async (overrides = {}) => {
        const engine = await startTemporaryStack({ overrides: { ...SETTINGS, ...overrides }, signal, report });
        engines.push(engine);
        return engine.stack;
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new SentenceError(
      stop.signal.aborted
        ? 'Stopped before everything was measured.'
        : `Not done within ${LIMIT_MS / MINUTE_MS} minutes.`,
    );
  } finally {
    await Promise.all(engines.map((engine) => engine.end()));
  }
}

await runScript(main);
process.exit();

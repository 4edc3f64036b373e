import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';
import { runConformanceProgram } from './run-program.ts';
import { startSocketEcho } from './socket-echo.ts';

const PACKAGE = 'autobahntestsuite==25.10.1';
/** The interpreters that can run it; it does not support Python 3. */
const PYTHONS = ['python2.7', 'python2', 'pypy'];
const MISSING = `The Autobahn suite needs Python 2.7 with pip, and none of ${PYTHONS.join(', ')} is on the PATH. Install one (for example \`pyenv install 2.7.18\`, or PyPy for Python 2.7) and run this again.`;
/** Namespace packages are found only if the site's `.pth` files are read. */
const START =
  'import runpy, site, sys; site.addsitedir(sys.argv.pop(1)); runpy.run_module("autobahntestsuite.wstest", run_name="__main__")';

/** Every case of the suite with its result for the connection and for its close. */
const reportSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ behavior: z.string(), behaviorClose: z.string() })),
);
/** The cases of compression are unimplemented, because the gateway does not offer it. */
const GOOD = new Set(['OK', 'NON-STRICT', 'INFORMATIONAL', 'UNIMPLEMENTED']);

/**
 * Autobahn's fuzzing client tries the gateway's side of the protocol, case by case.
 * @returns the exit code
 * @throws UserError when there is no Python 2.7 to run it
 */
export async function checkWithAutobahn(folder: string): Promise<number> {
  const python = await findPython();
  const site = path.join(folder, 'autobahn-site');
  if (!existsSync(path.join(site, 'autobahntestsuite'))) {
    const code = await runConformanceProgram(python, ['-m', 'pip', 'install', '--quiet', '--target', site, PACKAGE]);
    if (code !== 0) return code;
  }
  const reports = path.join(folder, 'autobahn-reports');
  await rm(reports, { recursive: true, force: true });
  const echo = await startSocketEcho();
  try {
    const settings = path.join(folder, 'autobahn.json');
    const servers = [{ agent: 'gateway', url: `ws://127.0.0.1:${echo.port}` }];
    const fuzzing = { outdir: reports, servers, cases: ['*'], 'exclude-cases': [], 'exclude-agent-cases': {} };
    await writeFile(settings, JSON.stringify(fuzzing));
    const code = await runConformanceProgram(
      python,
      ['-c', START, site, '-m', 'fuzzingclient', '-s', settings],
      {},
      folder,
    );
    return code === 0 ? await readVerdict(path.join(reports, 'index.json')) : code;
  } finally {
    echo.close();
  }
}

async function readVerdict(file: string): Promise<number> {
  const { gateway: cases = {} } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const verdicts = Object.entries(cases).map(([name, { behavior, behaviorClose }]) => ({
    name,
    verdict: GOOD.has(behavior) ? behaviorClose : behavior,
    behavior,
  }));
  const bad = verdicts.filter(({ verdict }) => !GOOD.has(verdict));
  for (const { name, verdict } of bad) console.log(`case ${name}: ${verdict}`);
  const counts = new Map<string, number>();
  for (const { behavior } of verdicts) counts.set(behavior, (counts.get(behavior) ?? 0) + 1);
  const summary = [...counts].map(([behavior, count]) => `${count} ${behavior}`).join(', ');
  console.log(
    `${verdicts.length} cases: ${summary}; ${bad.length} failed. ${path.join(path.dirname(file), 'index.html')}`,
  );
  return bad.length === 0 && verdicts.length > 0 ? 0 : 1;
}

/** Also finds an interpreter that pyenv manages. */
async function findPython(): Promise<string> {
  const kept = (await outputOf('pyenv', ['root'])).trim();
  const versions = (await outputOf('pyenv', ['versions', '--bare'])).split('\n').filter((name) => /^2\.7\./.test(name));
  const candidates = [...PYTHONS, ...versions.map((name) => path.join(kept, 'versions', name, 'bin', 'python2.7'))];
  for (const candidate of candidates) {
    const version = await outputOf(candidate, ['-c', 'import sys, pip; print(sys.version_info[0])']);
    if (version.trim() === '2') return candidate;
  }
  throw new UserError(MISSING);
}

/** The output; empty if the program is missing or fails. */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args])).stdout;
  } catch {
    return '';
  }
}

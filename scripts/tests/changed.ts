import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isContinuousIntegration } from '../../config/continuous-integration.ts';
import { UserError } from '../../domain/user-error.ts';
import { DIST_DIR, PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import type { PartResult } from './results.ts';

/** For each file that has passed, a digest of what it depends on. */
const GREEN = path.join(PROJECT_ROOT, 'test-reports', 'green.json');
const greenSchema = z.record(z.string(), z.string());
type Green = Readonly<z.infer<typeof greenSchema>>;

const TEST_ENDING = '.test.js';
const IMPORT = /\b(?:from|import)\s*(?:\(\s*)?['"]([^'"]+)['"]/g;
/** A module that imports one of these may read files or start programs that nobody imports. */
const REACHES_OUT = /^node:(fs|fs\/promises|child_process|worker_threads)$/;

/** The digests of all files of some suites, by `suite/file`. */
export type Digests = ReadonlyMap<string, string>;

/** What each file of these suites depends on at this moment. */
export function readDigests(suites: readonly string[]): Digests {
  const modules = createModules();
  const everything = digestOfProject(() => true);
  const withoutTests = digestOfProject((file) => !file.endsWith('.test.ts'));
  return new Map(
    suites.flatMap((suite) =>
      filesOf(suite).map((file): [string, string] => {
        const { digest, reachesOut, namesTests } = modules.inputsOf(pathOf(suite, file));
        const others = namesTests ? everything : reachesOut ? withoutTests : '';
        return [keyOf(suite, file), digestOf([digest, others])];
      }),
    ),
  );
}

/** The files of a suite that depend on something that has changed since they passed. */
export function changedFiles(suite: string, digests: Digests): readonly string[] {
  const green = readGreen();
  return filesOf(suite).filter((file) => green[keyOf(suite, file)] !== digests.get(keyOf(suite, file)));
}

/** Remembers which files have passed whole, and forgets those that have not. @param digests those from before the run */
export function saveGreen(results: readonly PartResult[], digests: Digests): void {
  mkdirSync(path.dirname(GREEN), { recursive: true });
  writeFileSync(GREEN, `${JSON.stringify(greenAfter(readGreen(), results, digests), null, 2)}\n`);
}

/** The digests with which files last passed, after a run. */
export function greenAfter(before: Green, results: readonly PartResult[], digests: Digests): Green {
  const green: Record<string, string> = { ...before };
  for (const { suite, files } of results) {
    for (const { file, failed, skipped } of files) {
      if (file === null) continue;
      const key = keyOf(suite, file);
      const digest = failed.length + skipped.length === 0 ? digests.get(key) : undefined;
      if (digest === undefined) delete green[key];
      else green[key] = digest;
    }
  }
  return green;
}

/** @throws UserError where a run has to prove everything */
export function refuseInCi(): void {
  if (isContinuousIntegration()) throw new UserError('--changed leaves tests out, so it does not run with CI=true.');
}

function readGreen(): Green {
  return existsSync(GREEN) ? greenSchema.parse(JSON.parse(readFileSync(GREEN, 'utf8'))) : {};
}

function filesOf(suite: string): readonly string[] {
  return readdirSync(path.join(DIST_DIR, 'test', suite), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(TEST_ENDING))
    .map((name) => name.slice(0, -TEST_ENDING.length))
    .sort();
}

function pathOf(suite: string, file: string): string {
  return path.join(DIST_DIR, 'test', suite, file + TEST_ENDING);
}

function keyOf(suite: string, file: string): string {
  return `${suite}/${file}`;
}

interface Module {
  readonly digest: string;
  /** The modules of ours that it imports. */
  readonly imports: readonly string[];
  readonly reachesOut: boolean;
}

interface FileInputs {
  /** Over the file and all that it imports, directly or not. */
  readonly digest: string;
  readonly reachesOut: boolean;
  /** Whether the file has the names of test files in it, and so may read them. */
  readonly namesTests: boolean;
}

/** Reads each compiled module once. */
export function createModules(): { inputsOf(file: string): FileInputs } {
  const known = new Map<string, Module>();
  const moduleOf = (file: string): Module => {
    const module = known.get(file) ?? readModule(file);
    known.set(file, module);
    return module;
  };
  return {
    inputsOf(file) {
      const all = reachableFrom(file, (each) => moduleOf(each).imports);
      return {
        digest: digestOf([...all].sort().map((each) => moduleOf(each).digest)),
        reachesOut: [...all].some((each) => moduleOf(each).reachesOut),
        namesTests: /\.test\b/.test(readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, '')),
      };
    },
  };
}

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(IMPORT)].map(([, name = '']) => name);
  const ours = imported.filter((name) => name.startsWith('.')).map((name) => path.resolve(path.dirname(file), name));
  return {
    digest: digestOf([file, text]),
    imports: ours.filter((each) => existsSync(each)),
    reachesOut: imported.some((name) => REACHES_OUT.test(name)),
  };
}

function reachableFrom(file: string, importsOf: (file: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([file]);
  // A set that grows while it is read is read to its end.
  for (const each of seen) for (const imported of importsOf(each)) seen.add(imported);
  return seen;
}

/** Over what git has or would add. */
function digestOfProject(isInput: (file: string) => boolean): string {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', args, { cwd: PROJECT_ROOT, encoding: 'utf8', maxBuffer: 100_000_000 });
  const files = listed.split('\0').filter((file) => file !== '' && isInput(file));
  const present = files.filter((file) => existsSync(path.join(PROJECT_ROOT, file)));
  return digestOf(present.flatMap((file) => [file, readFileSync(path.join(PROJECT_ROOT, file))]));
}

function digestOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, outputOf, runLong } from './installed-programs.mjs';

/**
 * @typedef {object} ProvisionOptions
 * @property {Pick<import('../../config/tools.ts').ToolsConfig, 'cacheDir' | 'searchPath'>} tools
 * @property {Readonly<Record<string, string | undefined>>} settings
 * @property {(line: string) => void} report
 */

/**
 * Programs of a Go module.
 * @typedef {object} GoPrograms
 * @property {string} title as messages name them, with the version
 * @property {string} module with the version
 * @property {string} sum the module's go.sum, which this sum covers, has the sums of all that it is built from
 * @property {readonly string[]} packages below the module, for example `./cmd/server`; each is built to a file of the name of its folder
 */

/**
 * No debugging information, neither in the program nor made on the way. The tag is that of Temporal's own builds: Google's client for
 * storage, which archives histories, then does without gRPC. Together they take a seventh less processor time.
 */
const FLAGS = ['-ldflags=-s -w', '-gcflags=all=-dwarf=false', '-tags=disable_grpc_modules'];
/**
 * The build takes a seventh less time if no compiler collects garbage below this limit. Without C code it takes a twelfth less, and
 * needs no C compiler.
 */
const COMPILER = { GOGC: 'off', GOMEMLIMIT: '2GiB', CGO_ENABLED: '0' };
const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const DOWNLOAD_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 2_700_000;

/**
 * Where the program of a package is built to.
 * @param {string} folder
 * @param {string} goPackage
 */
export function programFile(folder, goPackage) {
  return path.join(folder, `${path.basename(goPackage)}${SUFFIX}`);
}

/**
 * Builds in a folder of its own first: an interrupted build must not look like a complete one. False where it is not possible.
 * @param {Readonly<GoPrograms>} programs
 * @param {string} folder
 * @param {Readonly<ProvisionOptions>} options
 */
export async function buildWithGo({ title, module, sum, packages }, folder, { tools, settings, report }) {
  const go = findOnPath('go', tools.searchPath);
  if (go === undefined) return false;
  report(`Building ${title} from its Go module (2 to 15 minutes, once only) …`);
  const draft = await mkdtemp(path.join(folder, 'build-'));
  try {
    // A toolchain that Go would download by itself has no sum here.
    const env = { ...settings, ...COMPILER, GOTMPDIR: draft, GOFLAGS: '', GOWORK: 'off', GOTOOLCHAIN: 'local' };
    const cwd = await downloadModule(go, { module, sum }, { env, cwd: draft });
    for (const goPackage of packages) {
      const args = ['build', '-mod=readonly', ...FLAGS, '-o', programFile(draft, goPackage), goPackage];
      await runLong({ command: go, args, env, cwd, withinMs: BUILD_TIMEOUT_MS }, (seconds) =>
        report(`  … still building, ${seconds} s`),
      );
    }
    for (const goPackage of packages) await rename(programFile(draft, goPackage), programFile(folder, goPackage));
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Resolves with the folder of the module's sources. @throws Error if they do not have the expected sum
 * @param {string} go
 * @param {Pick<GoPrograms, 'module' | 'sum'>} expected
 * @param {{ readonly env: ProvisionOptions['settings'], readonly cwd: string }} options
 * @returns {Promise<string>}
 */
async function downloadModule(go, { module, sum }, options) {
  const args = ['mod', 'download', '-json', module];
  const downloaded = JSON.parse(await outputOf(go, args, { ...options, withinMs: DOWNLOAD_TIMEOUT_MS }));
  if (downloaded.Sum === sum) return downloaded.Dir;
  throw new Error(`refused: the Go module ${module} has the sum ${downloaded.Sum} and must have ${sum}`);
}

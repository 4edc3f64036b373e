import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ToolsConfig } from '../../config/tools.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { downloadProgram, type PinnedArchive, PLATFORM } from './download-program.ts';
import { fetchOnce } from './fetch-once.ts';
import { findOnPath, outputOf, runLong, works } from './installed-programs.ts';
import { UserError } from '../../domain/user-error.ts';

const VERSION = '1.5.1';

/** The archives by platform. Where there is none, it is built. */
export const TEMPORAL_CLI_ARCHIVES: Readonly<Partial<Record<string, PinnedArchive>>> = {
  'linux-x64': archiveOf('linux_amd64', 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d'),
  'linux-arm64': archiveOf('linux_arm64', 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5'),
  'darwin-x64': archiveOf('darwin_amd64', 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9'),
  'darwin-arm64': archiveOf('darwin_arm64', 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415'),
};

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/** Its go.sum, which the sum covers, has the sums of all that it is built from. */
const GO_MODULE = {
  name: `github.com/temporalio/cli@v${VERSION}`,
  sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
};
const moduleSchema = z.object({ Dir: z.string(), Sum: z.string() });

export interface ProvisionOptions {
  readonly tools: ToolsConfig;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly report: (line: string) => void;
}

/**
 * Finds the Temporal CLI, whose development server is what `npm start` runs: on the search path, in the cache, by
 * download, or built from its Go module. What is fetched is kept in the cache.
 * @throws UserError naming what to install
 */
export async function provideTemporalCli({ tools, settings, report }: ProvisionOptions): Promise<string> {
  const onPath = findOnPath('temporal', tools.searchPath);
  if (onPath !== undefined && (await works(onPath, ['server', 'start-dev', '--help']))) return onPath;
  const folder = path.join(tools.cacheDir, `temporal-cli-${VERSION}`);
  const cached = path.join(folder, EXECUTABLE);
  const isThere = await fetchOnce({
    folder,
    what: 'the Temporal server',
    isThere: () => works(cached, ['--version']),
    fetch: () => fetchInto(folder, { tools, settings, report }),
    report,
  });
  if (isThere) return cached;
  throw new UserError(
    `A Temporal server is needed, and it can neither be downloaded nor built. Do one of these, then start again:\n` +
      `  - install the Temporal CLI (https://docs.temporal.io/cli#install), so that "temporal" is on the PATH\n` +
      `  - install Go 1.25 or later (https://go.dev/dl), with which it is built from its source\n` +
      `  - set TEMPORAL_ADDRESS to a Temporal server that runs already`,
  );
}

/** Downloads or builds it; false where neither is possible. */
async function fetchInto(folder: string, options: ProvisionOptions): Promise<boolean> {
  return (await downloadInto(folder, options)) || buildWithGo(folder, options);
}

async function downloadInto(folder: string, { settings, report }: ProvisionOptions): Promise<boolean> {
  const archive = TEMPORAL_CLI_ARCHIVES[PLATFORM];
  if (archive === undefined) return false;
  report(`Downloading the Temporal server ${VERSION} (about 100 MB, a minute or less) …`);
  const file = path.join(folder, EXECUTABLE);
  const { failure } = await downloadProgram(archive, file, settings);
  if (failure === undefined && (await works(file, ['--version']))) return true;
  report(`  not possible: ${failure ?? 'the file does not run on this machine'}.`);
  return false;
}

/** Builds in a folder of its own first: an interrupted build must not look like a complete one. */
async function buildWithGo(folder: string, { tools, settings, report }: ProvisionOptions): Promise<boolean> {
  const go = findOnPath('go', tools.searchPath);
  if (go === undefined) return false;
  report(`Building the Temporal server ${VERSION} from its Go module (3 to 15 minutes, once only) …`);
  const draft = await mkdtemp(path.join(folder, 'build-'));
  try {
    // A toolchain that Go would download by itself has no sum here.
    const env = { ...settings, GOTMPDIR: draft, GOFLAGS: '', GOWORK: 'off', GOTOOLCHAIN: 'local' };
    const cwd = await downloadModule(go, { env, cwd: draft });
    const built = path.join(draft, EXECUTABLE);
    const args = ['build', '-mod=readonly', '-ldflags=-s -w', '-o', built, './cmd/temporal'];
    await runLong({ command: go, args, env, cwd, withinMs: 45 * MINUTE_MS }, (seconds) =>
      report(`  … still building, ${seconds} s`),
    );
    await rename(built, path.join(folder, EXECUTABLE));
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Resolves with the folder of the module's sources. @throws Error if they do not have the expected sum */
async function downloadModule(
  go: string,
  options: { env: ProvisionOptions['settings']; cwd: string },
): Promise<string> {
  const { name, sum } = GO_MODULE;
  const output = await outputOf(go, ['mod', 'download', '-json', name], { ...options, withinMs: 5 * MINUTE_MS });
  const module = moduleSchema.parse(JSON.parse(output));
  if (module.Sum === sum) return module.Dir;
  throw new Error(`refused: the Go module ${name} has the sum ${module.Sum} and must have ${sum}`);
}

function archiveOf(platform: string, sha256: string): PinnedArchive {
  const name = `temporal_cli_${VERSION}_${platform}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/${name}`;
  return { url, sha256, program: 'temporal' };
}

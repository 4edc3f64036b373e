import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ToolsConfig } from '../../config.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { downloadTemporalProgram } from './download-program.ts';
import { fetchOnce } from './fetch-once.ts';
import { findOnPath, runLong, works } from './installed-programs.ts';
import { UserError } from '../../domain/user-error.ts';

const TEMPORAL_CLI_VERSION = '1.5.1';

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;

export interface ProvisionOptions {
  readonly tools: ToolsConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly report: (line: string) => void;
}

/**
 * Finds the Temporal CLI, whose development server is what `npm start` runs: on the search path, in the cache, by
 * download, or built from its Go module. What is fetched is kept in the cache.
 * @throws SentenceError naming what to install
 */
export async function provideTemporalCli({ tools, environment, report }: ProvisionOptions): Promise<string> {
  const onPath = findOnPath('temporal', tools.searchPath);
  if (onPath !== undefined && (await works(onPath, ['server', 'start-dev', '--help']))) return onPath;
  const folder = path.join(tools.cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}`);
  const cached = path.join(folder, EXECUTABLE);
  const isThere = await fetchOnce({
    folder,
    what: 'the Temporal server',
    isThere: () => works(cached, ['--version']),
    fetch: () => fetchInto(folder, { tools, environment, report }),
    report,
  });
  if (isThere) return cached;
  throw new UserError(
    `A Temporal server is needed, and it can neither be downloaded nor built. Do one of these, then start again:\n` +
      `  - install the Temporal CLI (https://docs.temporal.io/cli#install), so that "temporal" is on the PATH\n` +
      `  - install Go 1.24 or later (https://go.dev/dl), with which it is built from its source\n` +
      `  - set TEMPORAL_ADDRESS to a Temporal server that runs already`,
  );
}

/** Downloads or builds it; false where neither is possible. */
async function fetchInto(folder: string, options: ProvisionOptions): Promise<boolean> {
  const { environment, report } = options;
  report(`Downloading the Temporal server ${TEMPORAL_CLI_VERSION} (about 100 MB, a minute or less) …`);
  const download = await downloadTemporalProgram('dev-server', `v${TEMPORAL_CLI_VERSION}`, folder, environment);
  if (download.file !== undefined && (await works(download.file, ['--version']))) {
    await rename(download.file, path.join(folder, EXECUTABLE));
    return true;
  }
  report(`  not possible: ${download.reason ?? 'the file does not run on this machine'}.`);
  return buildWithGo(folder, options);
}

/** Into a folder of its own first: a build that is cut off must not look like a finished one. */
async function buildWithGo(folder: string, { tools, environment, report }: ProvisionOptions): Promise<boolean> {
  const go = findOnPath('go', tools.searchPath);
  if (go === undefined) return false;
  report(`Building the Temporal server ${TEMPORAL_CLI_VERSION} from its Go module (3 to 15 minutes, once only) …`);
  const draft = await mkdtemp(path.join(folder, 'build-'));
  try {
    const env = { ...environment, GOBIN: draft, GOTMPDIR: draft, GOFLAGS: '' };
    await runLong(
      { command: go, args: ['install', '-ldflags=-s -w', GO_PACKAGE], env, cwd: draft, withinMs: 45 * MINUTE_MS },
      (seconds) => report(`  … still building, ${seconds} s`),
    );
    await rename(path.join(draft, EXECUTABLE), path.join(folder, EXECUTABLE));
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

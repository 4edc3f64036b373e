import path from 'node:path';
import { buildWithGo, type GoPrograms, type ProvisionOptions } from './build-with-go.ts';
import { downloadProgram, type PinnedArchive, PLATFORM } from './download-program.ts';
import { fetchOnce } from './fetch-once.ts';
import { findOnPath, works } from './installed-programs.ts';
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

const GO_PROGRAMS: GoPrograms = {
  title: `the Temporal server ${VERSION}`,
  module: `github.com/temporalio/cli@v${VERSION}`,
  sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
  packages: ['./cmd/temporal'],
};

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
  return (await downloadInto(folder, options)) || buildWithGo(GO_PROGRAMS, folder, options);
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

function archiveOf(platform: string, sha256: string): PinnedArchive {
  const name = `temporal_cli_${VERSION}_${platform}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/${name}`;
  return { url, sha256, program: 'temporal' };
}

/** Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import path from 'node:path';
import { buildWithGo } from './build-with-go.mjs';
import { downloadProgram, PLATFORM } from './download-program.mjs';
import { fetchOnce } from './fetch-once.mjs';
import { findOnPath, works } from './installed-programs.mjs';

/**
 * @typedef {import('./build-with-go.mjs').ProvisionOptions} ProvisionOptions
 * @typedef {import('./download-program.mjs').PinnedArchive} PinnedArchive
 */

const VERSION = '1.5.1';

/**
 * The archives by platform. Where there is none, it is built.
 * @type {Readonly<Partial<Record<string, PinnedArchive>>>}
 */
export const TEMPORAL_CLI_ARCHIVES = {
  'linux-x64': archiveOf('linux_amd64', 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d'),
  'linux-arm64': archiveOf('linux_arm64', 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5'),
  'darwin-x64': archiveOf('darwin_amd64', 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9'),
  'darwin-arm64': archiveOf('darwin_arm64', 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415'),
};

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const GO_PROGRAMS = {
  title: `the Temporal server ${VERSION}`,
  module: `github.com/temporalio/cli@v${VERSION}`,
  sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
  packages: ['./cmd/temporal'],
};

/**
 * Finds the Temporal CLI, whose development server is what `npm start` runs: on the search path, in the cache, by
 * download, or built from its Go module. What is fetched is kept in the cache. Undefined where it cannot be had.
 * @param {Readonly<ProvisionOptions>} options
 * @returns {Promise<string | undefined>}
 */
export async function findOrFetchTemporalCli({ tools, settings, report }) {
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
  return isThere ? cached : undefined;
}

/**
 * Downloads or builds it; false where neither is possible.
 * @param {string} folder
 * @param {Readonly<ProvisionOptions>} options
 */
async function fetchInto(folder, options) {
  return (await downloadInto(folder, options)) || buildWithGo(GO_PROGRAMS, folder, options);
}

/**
 * @param {string} folder
 * @param {Pick<ProvisionOptions, 'settings' | 'report'>} options
 */
async function downloadInto(folder, { settings, report }) {
  const archive = TEMPORAL_CLI_ARCHIVES[PLATFORM];
  if (archive === undefined) return false;
  report(`Downloading the Temporal server ${VERSION} (about 100 MB, a minute or less) …`);
  const file = path.join(folder, EXECUTABLE);
  const { failure } = await downloadProgram(archive, file, settings);
  if (failure === undefined && (await works(file, ['--version']))) return true;
  report(`  not possible: ${failure ?? 'the file does not run on this machine'}.`);
  return false;
}

/**
 * @param {string} platform
 * @param {string} sha256
 */
function archiveOf(platform, sha256) {
  const name = `temporal_cli_${VERSION}_${platform}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/${name}`;
  return { url, sha256, program: 'temporal' };
}

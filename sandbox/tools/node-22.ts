import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MINUTE_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import { PLATFORM } from './download-program.mjs';
import { fetchOnce } from './fetch-once.mjs';
import { runLong, works } from './installed-programs.mjs';
import type { ProvisionOptions } from './build-with-go.mjs';

const NODE_22_VERSION = '22.23.3';

/** The digests of the npm packages that are the program for one platform. */
const INTEGRITIES: Readonly<Partial<Record<string, string>>> = {
  'linux-x64': 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'linux-arm64': 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  'darwin-x64': 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
};

/**
 * Node 22, which the client for servers also supports: this process's own, from the cache, or from npm's registry.
 * @returns the path of the program
 * @throws UserError where it cannot be had
 */
export async function provideNode22({ tools, settings, report }: ProvisionOptions): Promise<string> {
  if (process.versions.node.startsWith('22.')) return process.execPath;
  const name = `node-${PLATFORM}`;
  const folder = path.join(tools.cacheDir, `node-${NODE_22_VERSION}`);
  const program = path.join(folder, 'node_modules', name, 'bin', 'node');
  const isThere = await fetchOnce({
    folder,
    what: 'Node 22',
    isThere: () => works(program, ['--version']),
    fetch: async () => {
      const integrity = INTEGRITIES[PLATFORM];
      return integrity !== undefined && (await install({ folder, name, integrity }, { settings, report }));
    },
    report,
  });
  if (isThere) return program;
  throw new UserError('Node 22 cannot be had from the npm registry.');
}

/** What npm may install, and nothing else. */
interface Pinned {
  readonly folder: string;
  readonly name: string;
  readonly integrity: string;
}

/** @returns whether npm has installed it */
async function install(
  { folder, name, integrity }: Pinned,
  { settings, report }: Pick<ProvisionOptions, 'settings' | 'report'>,
): Promise<boolean> {
  const dependencies = { [name]: NODE_22_VERSION };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: NODE_22_VERSION, integrity } };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await runLong({ command, args, env: settings, cwd: folder, withinMs: 5 * MINUTE_MS }, () => undefined);
    return true;
  } catch (error) {
    report(`  Node 22 cannot be fetched: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

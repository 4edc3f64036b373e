import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { readVariables, type Settings, throwIfAny } from './read-variables.ts';

/** The folders of programs that are not npm packages. */
export interface ToolsConfig {
  readonly cacheDir: string;
  readonly searchPath: readonly string[];
  /** The test server to use; null means to search for one. */
  readonly testServer: string | null;
}

/** Reads the folders of those programs. @throws ConfigError */
export function readToolsConfig(settings: Settings = process.env): ToolsConfig {
  const { values, problems } = readVariables(settings, ['TEMPORAL_TEST_SERVER']);
  throwIfAny(problems);
  return {
    cacheDir: path.join(userCacheDir(settings), 'payment-engine'),
    searchPath: (settings.PATH ?? settings.Path ?? '').split(path.delimiter).filter((entry) => entry !== ''),
    testServer: values.TEMPORAL_TEST_SERVER,
  };
}

function userCacheDir(settings: Settings): string {
  if (settings.XDG_CACHE_HOME !== undefined && path.isAbsolute(settings.XDG_CACHE_HOME)) {
    return settings.XDG_CACHE_HOME;
  }
  if (process.platform === 'win32' && settings.LOCALAPPDATA !== undefined) return settings.LOCALAPPDATA;
  const home = settings.HOME ?? homeOfUser();
  return process.platform === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}

function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    // A container may run as a user whom the system does not know.
    return tmpdir();
  }
}

/** Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** @typedef {Readonly<Record<string, string | undefined>>} Settings */

/**
 * The folder where fetched programs are kept, and those where installed programs are looked for.
 * @param {Settings} settings
 */
export function toolFolders(settings) {
  return {
    cacheDir: path.join(userCacheDir(settings), 'payment-engine'),
    searchPath: (settings.PATH ?? settings.Path ?? '').split(path.delimiter).filter((entry) => entry !== ''),
  };
}

/** @param {Settings} settings */
function userCacheDir(settings) {
  if (settings.XDG_CACHE_HOME !== undefined && path.isAbsolute(settings.XDG_CACHE_HOME)) {
    return settings.XDG_CACHE_HOME;
  }
  if (process.platform === 'win32' && settings.LOCALAPPDATA !== undefined) return settings.LOCALAPPDATA;
  const home = settings.HOME ?? homeOfUser();
  return process.platform === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}

function homeOfUser() {
  try {
    return homedir();
  } catch {
    // A container may run as a user whom the system does not know.
    return tmpdir();
  }
}

/** Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { waitForLock } from '../stack/lock-file.mjs';

/**
 * @typedef {object} FetchOptions
 * @property {string} folder a folder of the cache, for this alone
 * @property {string} what named in messages to the user, for example "the Temporal server"
 * @property {() => boolean | Promise<boolean>} isThere
 * @property {() => Promise<boolean>} fetch whether it could be fetched
 * @property {(line: string) => void} report
 */

const LOCK_FILE = 'fetch.lock';

/**
 * Fetches something into the cache, in one process at a time: others wait and find it there. What an interrupted fetch has
 * left is removed first. Resolves with whether it is there.
 * @param {FetchOptions} options
 */
export async function fetchOnce({ folder, what, isThere, fetch, report }) {
  if (await isThere()) return true;
  await mkdir(folder, { recursive: true });
  const release = await waitForLock(path.join(folder, LOCK_FILE), (holder) =>
    report(`Waiting for process ${holder}, which fetches ${what} already …`),
  );
  try {
    if (await isThere()) return true;
    await removeLeftovers(folder);
    return await fetch();
  } finally {
    release();
  }
}

/** @param {string} folder */
async function removeLeftovers(folder) {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(LOCK_FILE));
  for (const name of names) await rm(path.join(folder, name), { recursive: true, force: true });
}

import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { waitForLock } from '../stack/lock-file.mjs';

export interface FetchOptions {
  /** A folder of the cache, for this alone. */
  readonly folder: string;
  /** Named in messages to the user, for example "the Temporal server". */
  readonly what: string;
  readonly isThere: () => boolean | Promise<boolean>;
  /** Whether it could be fetched. */
  readonly fetch: () => Promise<boolean>;
  readonly report: (line: string) => void;
}

const LOCK_FILE = 'fetch.lock';

/**
 * Fetches something into the cache, in one process at a time: others wait and find it there. What an interrupted fetch has
 * left is removed first. Resolves with whether it is there.
 */
export async function fetchOnce({ folder, what, isThere, fetch, report }: FetchOptions): Promise<boolean> {
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

async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(LOCK_FILE));
  for (const name of names) await rm(path.join(folder, name), { recursive: true, force: true });
}

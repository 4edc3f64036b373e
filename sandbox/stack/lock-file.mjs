/**
 * Locks between processes of one machine. Plain JavaScript without packages: the set-up uses them before it has installed
 * and compiled anything.
 *
 * Whoever wants a lock creates a file of its own beside it, named by its process, and then looks for files of others. Who
 * sees none holds the lock; who sees one withdraws. Of two at once, the later one to create its file sees the other's, so
 * never do both hold it. A file that a dead process left has a name that nobody uses again, so anyone may remove it; one
 * file shared by all could be another process's by the time that it is removed.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayBeRunning, processStartedAt } from './process-start.mjs';

/**
 * A lock that is held, with the way to release it; or the process that holds it.
 * @typedef {{ readonly release: () => void } | { readonly heldBy: number }} Lock
 */

const RETRY_MS = { shortest: 10, longest: 50 };
/** Processes that compete withdraw after each look; a file that is seen that often belongs to the holder. */
const LOOKS_UNTIL_HELD = 5;
const POLL_EVERY_MS = 250;

/**
 * Acquires a lock for this process, or says who holds it. It is free again when it is released or this process has ended.
 * @param {string} file
 * @returns {Promise<Lock>}
 */
export async function acquireLock(file) {
  /** @type {Map<string, number>} */
  const looks = new Map();
  for (;;) {
    const own = createEntry(file);
    const others = liveEntries(file).filter(({ name }) => name !== path.basename(own));
    if (others.length === 0) return { release: () => rmSync(own, { force: true }) };
    rmSync(own, { force: true });
    for (const { name } of others) looks.set(name, (looks.get(name) ?? 0) + 1);
    const holder = others.find(({ name }) => (looks.get(name) ?? 0) >= LOOKS_UNTIL_HELD);
    if (holder !== undefined) return { heldBy: holder.pid };
    await sleep(RETRY_MS.shortest + Math.random() * (RETRY_MS.longest - RETRY_MS.shortest));
  }
}

/**
 * Waits until this process has the lock.
 * @param {string} file
 * @param {(holder: number) => void} onWait called once, when another process holds it
 * @returns {Promise<() => void>} releases it
 */
export async function waitForLock(file, onWait) {
  for (let waits = 0; ; waits += 1) {
    const lock = await acquireLock(file);
    if ('release' in lock) return lock.release;
    if (waits === 0) onWait(lock.heldBy);
    await sleep(POLL_EVERY_MS);
  }
}

/** @param {string} file */
function createEntry(file) {
  const startedAt = Buffer.from(processStartedAt(process.pid) ?? '').toString('base64url');
  const entry = `${file}.${process.pid}.${startedAt}.${randomUUID()}`;
  writeFileSync(entry, '', { flag: 'wx', mode: 0o600 });
  return entry;
}

/**
 * The files of processes that run; others are removed.
 * @param {string} file
 * @returns {{ readonly name: string, readonly pid: number }[]}
 */
function liveEntries(file) {
  const prefix = `${path.basename(file)}.`;
  const entries = readdirSync(path.dirname(file)).flatMap((name) => {
    const [pid, startedAt, id] = name.startsWith(prefix) ? name.slice(prefix.length).split('.') : [];
    if (id === undefined || startedAt === undefined) return [];
    return [{ name, pid: Number(pid), startedAt: Buffer.from(startedAt, 'base64url').toString() }];
  });
  return entries.filter((entry) => {
    if (mayBeRunning(entry)) return true;
    rmSync(path.join(path.dirname(file), entry.name), { force: true });
    return false;
  });
}

import { randomUUID } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { isRunning, processStartedAt } from './processes.ts';
import { writeDurably } from './write-durably.ts';

const holderSchema = z.object({ pid: z.number(), startedAt: z.string() });

/** A lock that is taken, with the way to give it back; or the process that has it. */
export type Lock = { readonly release: () => Promise<void> } | { readonly heldBy: number };

const ASK_EVERY_MS = SECOND_MS;

/** Takes a lock file for this process; one that a dead process left is taken over. */
export async function takeLock(file: string): Promise<Lock> {
  const draft = `${file}.${randomUUID()}`;
  await writeDurably(draft, JSON.stringify({ pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' }));
  const release = (): Promise<void> => rm(file, { force: true });
  try {
    // A link comes into being whole and only where there is none: of two processes at once, one gets it.
    await link(draft, file);
    return { release };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const holder = await readHolder(file);
    if (holder !== undefined) return { heldBy: holder };
    await rm(file, { force: true });
    await link(draft, file);
    return { release };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Waits for the lock, and holds it while `act` runs. */
export async function whileLocked<Result>(
  file: string,
  act: () => Promise<Result>,
  onWait: (holder: number) => void,
): Promise<Result> {
  for (let told = false; ; told = true) {
    const lock = await takeLock(file);
    if ('release' in lock) return act().finally(lock.release);
    if (!told) onWait(lock.heldBy);
    await wait(ASK_EVERY_MS);
  }
}

/** The process that holds a lock; undefined when it has gone. */
async function readHolder(file: string): Promise<number | undefined> {
  try {
    const holder = holderSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return isRunning(holder) ? holder.pid : undefined;
  } catch {
    return undefined;
  }
}

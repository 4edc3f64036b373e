import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isSurelyRunning, mayBeRunning } from './process-start.mjs';
import { type ProcessRecord, stopProcess } from './processes.ts';

const PROCESSES_FILE = 'processes.json';

/** What the file of running processes holds. */
export const processRecordsSchema: z.ZodType<readonly ProcessRecord[]> = z.array(
  z.object({
    name: z.string(),
    pid: z.int().positive(),
    startedAt: z.string(),
    stopSignal: z.enum(['SIGTERM', 'SIGINT']),
    stopWithinMs: z.number(),
    endsWithParent: z.boolean(),
  }),
);

/** Writes the list of running processes, for the next start to stop what a crash has left. */
export function writeProcessRecords(dataDir: string, records: readonly ProcessRecord[]): void {
  const file = path.join(dataDir, PROCESSES_FILE);
  try {
    writeFileSync(`${file}.new`, JSON.stringify(records), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The watchdog knows them as well: a disk that is full at the moment must not end the engine.
    rmSync(`${file}.new`, { force: true });
  }
}

/**
 * Stops what a run that was killed has left behind, the last one started first. A process that may be another one by now is left
 * alone, and reported.
 * @param report prints a line for the user
 */
export async function stopLeftoverProcesses(dataDir: string, report: (line: string) => void): Promise<void> {
  const file = path.join(dataDir, PROCESSES_FILE);
  if (!existsSync(file)) return;
  let records: readonly ProcessRecord[];
  try {
    records = processRecordsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return;
  }
  for (const record of [...records].reverse()) {
    if (isSurelyRunning(record)) await stopProcess(record);
    else if (mayBeRunning(record)) report(leftAlone(record));
  }
}

function leftAlone({ name, pid }: ProcessRecord): string {
  return `Process ${pid} may be the ${name} of an earlier run. It may also be another program, so it was left alone. If it is ours, stop it: kill ${pid}`;
}

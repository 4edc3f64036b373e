import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Check, failed, type Finding, warning } from './check.ts';

export interface MachinePlace {
  /** The folder of data; of a process that keeps none, the one it runs in. */
  readonly dataDir: string;
  readonly freeSpace: (folder: string) => Promise<FreeSpace>;
}

interface FreeSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

const GIB = 1024 ** 3;
const FAILED_BELOW_BYTES = GIB / 4;
const WARNING_BELOW_PART = 0.05;

export const MACHINE_CHECKS: readonly Check<MachinePlace>[] = [{ title: 'The disk has space', look: lookAtDisk }];

async function lookAtDisk({ dataDir, freeSpace }: MachinePlace): Promise<Finding | null> {
  const folder = path.resolve(existsSync(dataDir) ? dataDir : '.');
  const { freeBytes, totalBytes } = await freeSpace(folder);
  if (freeBytes >= FAILED_BELOW_BYTES && freeBytes >= totalBytes * WARNING_BELOW_PART) return null;
  const finding = freeBytes < FAILED_BELOW_BYTES ? failed : warning;
  const free = `${(freeBytes / GIB).toFixed(1)} of ${(totalBytes / GIB).toFixed(1)} GiB`;
  return finding(
    `The disk of ${folder} has ${free} left.`,
    'Free some space, or enlarge the disk; docs/capacity.md says what grows, and docs/operations/settings.md which settings limit how long it is kept.',
  );
}

/** What the disk of a folder has left for programs that are not the system's own. */
export async function freeSpaceOf(folder: string): Promise<FreeSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

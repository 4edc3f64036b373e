import { lookup } from 'node:dns/promises';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { runLong } from './installed-programs.ts';
import { DIST_DIR } from '../stack/project.ts';

export type TemporalProgram = 'dev-server' | 'time-skipping';

/** The host from which the SDK downloads; checked first, so that a machine without internet access does not wait. */
const DOWNLOAD_HOST = 'temporal.download';

export interface Download {
  /** The program; undefined when it could not be downloaded. */
  readonly file?: string;
  readonly reason?: string;
}

/**
 * Lets the Temporal SDK download one of its programs into a folder. This takes a process of its own, because the
 * SDK only downloads and starts in one call, without a timeout.
 */
export async function downloadTemporalProgram(
  program: TemporalProgram,
  version: string,
  folder: string,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<Download> {
  if (!(await isReachable())) return { reason: 'there is no internet connection' };
  const script = path.join(DIST_DIR, 'sandbox', 'tools', 'run-download.js');
  try {
    const args = [script, program, version, folder];
    await runLong(
      { command: process.execPath, args, env: settings, cwd: folder, withinMs: 5 * MINUTE_MS },
      () => undefined,
    );
  } catch (error) {
    return { reason: `the download failed (${error instanceof Error ? error.message : String(error)})` };
  }
  const file = await newestFile(folder);
  return file === undefined ? { reason: 'the download left no file' } : { file };
}

async function isReachable(): Promise<boolean> {
  try {
    await Promise.race([
      lookup(DOWNLOAD_HOST),
      sleep(3 * SECOND_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('slow'))),
    ]);
    await fetch(`https://${DOWNLOAD_HOST}/`, { method: 'HEAD', signal: AbortSignal.timeout(5 * SECOND_MS) });
    return true;
  } catch {
    return false;
  }
}

async function newestFile(folder: string): Promise<string | undefined> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      file: path.join(folder, name),
      stats: await stat(path.join(folder, name)),
    })),
  );
  return files.filter(({ stats }) => stats.isFile()).sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)[0]?.file;
}

/** Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLong } from './installed-programs.mjs';

/**
 * A program in an archive (.tar.gz) that its publisher offers for one platform.
 * @typedef {object} PinnedArchive
 * @property {string} url
 * @property {string} sha256 of the archive, in hexadecimal
 * @property {string} program the path of the program in the archive
 */

/** The key of a table of archives by platform. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Downloads an archive, checks its digest and unpacks the program to `file`. What does not have the digest is deleted
 * unread. Resolves with the reason if the program is not there afterwards.
 * @param {Readonly<PinnedArchive>} archive
 * @param {string} file
 * @param {Readonly<Record<string, string | undefined>>} settings the variables that `tar` runs with
 * @returns {Promise<{ readonly failure?: string }>}
 */
export async function downloadProgram({ url, sha256, program }, file, settings) {
  if (!(await isReachable(new URL(url)))) return { failure: 'there is no internet connection' };
  const draft = await mkdtemp(path.join(path.dirname(file), 'download-'));
  try {
    const archive = path.join(draft, 'archive.tar.gz');
    const actual = await saveWithDigest(url, archive);
    if (actual !== sha256) {
      return { failure: `refused: ${url} has the SHA-256 ${actual} and must have ${sha256}. It was deleted` };
    }
    const args = ['-xzf', archive, '-C', draft, program];
    await runLong({ command: 'tar', args, env: settings, cwd: draft, withinMs: 60_000 }, () => undefined);
    await chmod(path.join(draft, program), 0o755);
    await rename(path.join(draft, program), file);
    return {};
  } catch (error) {
    return { failure: `the download failed (${error instanceof Error ? error.message : String(error)})` };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Resolves with the SHA-256 of what was written, in hexadecimal.
 * @param {string} url
 * @param {string} file
 */
async function saveWithDigest(url, file) {
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) });
  if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}`);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body), hashing, createWriteStream(file));
  return hash.digest('hex');
}

/**
 * Checked first, so that a machine without internet access does not wait.
 * @param {URL} url
 */
async function isReachable({ origin, hostname }) {
  try {
    await Promise.race([
      lookup(hostname),
      sleep(3_000, undefined, { ref: false }).then(() => Promise.reject(new Error('slow'))),
    ]);
    await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(5_000) });
    return true;
  } catch {
    return false;
  }
}

import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const MAXIMUM_BYTES = 10 * 1024 * 1024;

/**
 * A log that child processes append to by themselves, so that they can go on writing when their parent has died.
 * `rotate` keeps it bounded: the present text moves to `<file>.1`, replacing what was there.
 */
export interface LogFile {
  readonly file: string;
  /** Opens it for a child; the caller closes it after the spawn. */
  open(): number;
  /** Bytes it has now. */
  size(): number;
  /** Its text from a byte on, at most 64 KB of it. */
  readFrom(offset: number): string;
  rotate(): void;
}

/** A bounded log in that file, readable by its owner only. */
export function createLogFile(file: string): LogFile {
  closeSync(openSync(file, 'a', 0o600));
  return {
    file,
    open: () => openSync(file, 'a', 0o600),
    size: () => statSync(file).size,
    readFrom: (offset) => readFrom(file, offset),
    rotate() {
      if (statSync(file).size <= MAXIMUM_BYTES) return;
      try {
        copyFileSync(file, `${file}.1`);
      } catch {
        // The disk is full, perhaps because of this log: then its old text is lost.
      }
      truncateSync(file);
    },
  };
}

function readFrom(file: string, offset: number): string {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, offset)).toString('utf8');
  } finally {
    closeSync(handle);
  }
}

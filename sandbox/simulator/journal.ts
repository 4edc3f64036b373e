import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { journalRecordSchema, type JournalRecord } from './records.ts';

const MAXIMUM_LINE_BYTES = 1024 * 1024;
const REWRITE_CHUNK_CHARACTERS = 1024 * 1024;
const NEWLINE = 0x0a;

/** An append-only file of JSON lines. */
export interface Journal {
  /** Lines in the file. */
  lineCount(): number;
  /**
   * Writes a line to the operating system before it returns, so that a killed process loses nothing.
   * @throws when the write fails; the file is then unchanged
   */
  append(record: JournalRecord): void;
  /** Replaces the file atomically. */
  rewrite(records: Iterable<JournalRecord>): void;
  close(): void;
}

/**
 * Opens a journal and passes each of its records to `apply`, oldest first. An incomplete last line, which a killed
 * process leaves, is cut off.
 * @throws Error with a message for the user when a line before the last cannot be read
 */
export async function openJournal(file: string, apply: (record: JournalRecord) => void): Promise<Journal> {
  mkdirSync(path.dirname(file), { recursive: true });
  let lines = await replay(file, apply);
  let descriptor = openSync(file, 'a', 0o600);
  let sizeBytes = statSync(file).size;
  let isOpen = true;

  return {
    lineCount: () => lines,

    append(record) {
      if (!isOpen) throw new Error('the journal is closed');
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      try {
        writeFully(descriptor, line);
      } catch (error) {
        ftruncateSync(descriptor, sizeBytes);
        throw error;
      }
      sizeBytes += line.length;
      lines += 1;
    },

    rewrite(records) {
      const written = writeNewFile(file, records);
      closeSync(descriptor);
      descriptor = openSync(file, 'a', 0o600);
      sizeBytes = statSync(file).size;
      lines = written;
    },

    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

async function replay(file: string, apply: (record: JournalRecord) => void): Promise<number> {
  if (!existsSync(file)) return 0;
  let rest: Buffer = Buffer.alloc(0);
  let wholeBytes = 0;
  let lines = 0;
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      lines += 1;
      apply(readLine(file, lines, bytes.toString('utf8', start, end)));
      start = end + 1;
    }
    wholeBytes += start;
    rest = bytes.subarray(start);
    if (rest.length > MAXIMUM_LINE_BYTES) throw damaged(file, lines + 1);
  }
  if (rest.length > 0) truncateSync(file, wholeBytes);
  return lines;
}

function readLine(file: string, number: number, line: string): JournalRecord {
  try {
    return journalRecordSchema.parse(JSON.parse(line));
  } catch {
    throw damaged(file, number);
  }
}

function damaged(file: string, line: number): Error {
  return new Error(
    `The simulator's journal ${file} is damaged at line ${line}; move the file away to start with an empty one.`,
  );
}

function writeNewFile(file: string, records: Iterable<JournalRecord>): number {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, 'w', 0o600);
  let lines = 0;
  try {
    let text = '';
    for (const record of records) {
      text += `${JSON.stringify(record)}\n`;
      lines += 1;
      if (text.length < REWRITE_CHUNK_CHARACTERS) continue;
      writeFully(descriptor, Buffer.from(text));
      text = '';
    }
    writeFully(descriptor, Buffer.from(text));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
  return lines;
}

/** A single write may take only a part. */
function writeFully(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) {
    offset += writeSync(descriptor, bytes, offset);
  }
}

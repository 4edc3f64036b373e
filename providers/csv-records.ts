/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is no CSV from a line on. Its message says what to do. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Characters of a record, far more than a report's row has: nothing longer is held in memory. */
export const MAXIMUM_RECORD_LENGTH = 64 * 1_024;

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The lines of a file, without their ends, as its bytes arrive.
 * @throws CsvError where a line is too long, or the bytes are not UTF-8
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let rest = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new CsvError(line, 'Expected text in UTF-8; got other bytes. Take the file as the provider gives it out.');
    }
  };
  for await (const chunk of chunks) {
    const parts = `${rest}${decode(chunk)}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield withoutReturn(part);
      line += 1;
    }
    if (rest.length > MAXIMUM_RECORD_LENGTH) throw tooLong(line);
  }
  rest += decode();
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/**
 * The records of a CSV file (RFC 4180), one at a time; empty lines are passed over. A parser of a package would have to be given a
 * limit of a record, its lines counted, and its errors be put into words that merchants understand: that is most of what stands here.
 * @throws CsvError where a record is too long, or its quotes do not match
 */
export async function* csvRecords(lines: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let line = 0;
  /** The lines of a record whose last quote is open: an end of a line within quotes belongs to the cell. */
  let open: { readonly text: string; readonly line: number } | null = null;
  for await (const each of lines) {
    line += 1;
    const text: string = open === null ? withoutMark(each, line) : `${open.text}\n${each}`;
    const begun: number = open?.line ?? line;
    if (text.length > MAXIMUM_RECORD_LENGTH) throw tooLong(begun);
    open = hasOddQuotes(each) === (open === null) ? { text, line: begun } : null;
    if (open === null && text !== '') yield { line: begun, cells: cellsOf(text, begun) };
  }
  if (open !== null) throw unmatched(open.line);
}

function withoutMark(text: string, line: number): string {
  return line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Quotes within a cell are doubled, so that a complete record has an even number of them. */
function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

const QUOTED_CELL = /"((?:[^"]|"")*)"(?=,|$)/y;
const PLAIN_CELL = /[^",]*(?=,|$)/y;

function cellsOf(text: string, line: number): readonly string[] {
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  for (let at = 0; at <= text.length;) {
    const pattern = text.charAt(at) === '"' ? QUOTED_CELL : PLAIN_CELL;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw unmatched(line);
    cells.push(found[1]?.replaceAll('""', '"') ?? found[0]);
    at += found[0].length + 1;
  }
  return cells;
}

function tooLong(line: number): CsvError {
  return new CsvError(line, `Expected rows of at most ${MAXIMUM_RECORD_LENGTH} characters; got a longer one.`);
}

function unmatched(line: number): CsvError {
  return new CsvError(
    line,
    'Expected each quote to be closed before the next comma or the end of the line; got another.',
  );
}

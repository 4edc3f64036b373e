import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  CsvError,
  type CsvRecord,
  csvRecords,
  linesOf,
  MAXIMUM_RECORD_LENGTH,
} from '../../../providers/csv-records.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function recordsOf(chunks: AsyncIterable<Uint8Array>): Promise<readonly CsvRecord[]> {
  return await Readable.from(csvRecords(linesOf(chunks))).toArray();
}

async function readBytes(bytes: Uint8Array, chunkBytes = 7): Promise<readonly CsvRecord[]> {
  return await recordsOf(inChunks(bytes, chunkBytes));
}

const read = (text: string, chunkBytes?: number) => readBytes(Buffer.from(text), chunkBytes);

describe('the records of a CSV file', () => {
  it('are what another program wrote, however its bytes arrive', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', '😀', '=', ' ') });
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (rows, size, isWindows) => {
        const text = stringify(rows, { record_delimiter: isWindows ? 'windows' : 'unix', quoted_match: /[\r\n]/ });
        const records = await read(text, size);
        // An end of a line within a cell is a line feed, whatever it was.
        const expected = rows.map((row) => row.map((each) => each.replaceAll('\r\n', '\n')));
        assert.deepEqual(
          records.map(({ cells }) => cells),
          expected,
        );
      }),
    );
  });

  it('have the line on which each begins', async () => {
    const records = await read('\ufeffa,b\n\n"1\n2",3\r\n4,"5"');
    assert.deepEqual(records, [
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['1\n2', '3'] },
      { line: 5, cells: ['4', '5'] },
    ]);
  });

  it('are refused where a quote stays open, stands in a cell, or is followed by text', async () => {
    await assert.rejects(read('a\n"b'), (error: CsvError) => error.line === 2);
    await assert.rejects(read('a\nx"b",c"d'), (error: CsvError) => error.line === 2);
    await assert.rejects(read('a\n"b"c,"d"'), (error: CsvError) => error.line === 2);
  });

  it('are refused where one is longer than a row can be, before all of it has arrived', async () => {
    let bytes = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        bytes += 1_024;
        yield Buffer.alloc(1_024, 'a');
      }
    }
    await assert.rejects(recordsOf(endless()), CsvError);
    assert.ok(bytes <= 2 * MAXIMUM_RECORD_LENGTH);
    const lines = `"${'\n'.repeat(2 * MAXIMUM_RECORD_LENGTH)}`;
    await assert.rejects(read(lines, 1_024), CsvError);
  });

  it('are refused where the bytes are no UTF-8', async () => {
    await assert.rejects(readBytes(Buffer.from([0x61, 0x0a, 0xff, 0xfe])), (error: CsvError) => error.line === 1);
  });
});

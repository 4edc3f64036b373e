import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openJournal } from '../../../../sandbox/simulator/journal.ts';
import type { JournalRecord } from '../../../../sandbox/simulator/records.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

const recordOf = (id: string): JournalRecord => ({ event: { id, body: `{"ü":"${id}"}`, createdAt: 'now' } });

describe('journal of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    file = path.join(temporary.folder, 'deeper', 'journal.jsonl');
  });
  afterEach(() => temporary.remove());

  async function readAll(): Promise<JournalRecord[]> {
    const records: JournalRecord[] = [];
    const journal = await openJournal(file, (record) => records.push(record));
    journal.close();
    return records;
  }

  it('contains each record before append returns', async () => {
    const journal = await openJournal(file, () => undefined);
    journal.append(recordOf('one'));
    journal.append(recordOf('two'));
    assert.deepEqual(await readAll(), [recordOf('one'), recordOf('two')]);
    journal.close();
  });

  it('drops an incomplete last line, wherever it was cut, and appends after it', async () => {
    const whole = `${JSON.stringify(recordOf('one'))}\n`;
    const incomplete = Buffer.from(JSON.stringify(recordOf('tórn')));
    (await openJournal(file, () => undefined)).close();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: incomplete.length }), async (length) => {
        await writeFile(file, whole);
        await appendFile(file, incomplete.subarray(0, length));
        assert.deepEqual(await readAll(), [recordOf('one')]);
        const journal = await openJournal(file, () => undefined);
        journal.append(recordOf('two'));
        journal.close();
        assert.deepEqual(await readAll(), [recordOf('one'), recordOf('two')]);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects a file that is damaged before its last line, and does not change it', async () => {
    (await openJournal(file, () => undefined)).close();
    const content = `${JSON.stringify(recordOf('one'))}\nrubbish\n${JSON.stringify(recordOf('two'))}\n`;
    await writeFile(file, content);
    await assert.rejects(readAll(), /damaged at line 2/);
    assert.equal(await readFile(file, 'utf8'), content);
  });

  it('reads lines that span several chunks of the file', async () => {
    const journal = await openJournal(file, () => undefined);
    const records = Array.from({ length: 40 }, (_, index) => recordOf(`${index}${'ü'.repeat(5_000)}`));
    for (const record of records) journal.append(record);
    journal.close();
    assert.deepEqual(await readAll(), records);
  });

  it('rejects records once it is closed', async () => {
    const journal = await openJournal(file, () => undefined);
    journal.close();
    journal.close();
    assert.throws(() => {
      journal.append(recordOf('late'));
    }, /closed/);
    assert.deepEqual(await readAll(), []);
  });

  it('replaces its content and appends to the new file', async () => {
    const journal = await openJournal(file, () => undefined);
    for (let index = 0; index < 10; index += 1) journal.append(recordOf(`old${index}`));
    journal.rewrite([recordOf('kept')]);
    assert.equal(journal.lineCount(), 1);
    journal.append(recordOf('new'));
    journal.close();
    assert.deepEqual(await readAll(), [recordOf('kept'), recordOf('new')]);
  });
});

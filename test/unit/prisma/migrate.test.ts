import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readMigrations } from '../../../prisma/migrate.ts';

/** Statements after which processes of the release before may fail, which go on during an upgrade. */
const BREAKS_RUNNING_PROCESSES = [
  /\bDROP\s+(TABLE|COLUMN)\b/i,
  /\bRENAME\b/i,
  /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+COLUMN\s+(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
];

describe('a migration', () => {
  it('leaves the processes of the release before to work', async () => {
    const [, ...changes] = await readMigrations(path.resolve('prisma/migrations'));
    const breaking = changes.filter(({ script }) =>
      BREAKS_RUNNING_PROCESSES.some((pattern) => pattern.test(withoutComments(script))),
    );
    assert.deepEqual(
      breaking.map(({ name }) => name),
      [],
      'Expand first, and contract in a later release, when no process uses the column or table any more.',
    );
  });

  for (const statement of [
    'ALTER TABLE a DROP COLUMN b',
    'DROP TABLE a',
    'ALTER TABLE a RENAME COLUMN b TO c',
    'ALTER TABLE a ALTER COLUMN b TYPE BIGINT',
    'ALTER TABLE a ALTER COLUMN b SET NOT NULL',
    'ALTER TABLE a ADD COLUMN b TEXT NOT NULL',
  ]) {
    it(`is found to break running processes: ${statement}`, () => {
      assert.ok(BREAKS_RUNNING_PROCESSES.some((pattern) => pattern.test(statement)));
    });
  }

  it('may add a column with a default', () => {
    const statement = "ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT 'c'";
    assert.ok(!BREAKS_RUNNING_PROCESSES.some((pattern) => pattern.test(statement)));
  });
});

function withoutComments(script: string): string {
  return script.replaceAll(/--.*$/gm, '');
}

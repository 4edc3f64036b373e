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

/** Migrations before which the processes have to stop. */
const WITH_A_STOP = [
  // It drops columns of the design before, in which a confirm was not on disk before the provider was called.
  '20261122100000_durable_operations',
  // It drops the column that held CVCs before they had a table of their own.
  '20261128180000_security_codes_in_their_table',
  // It moves the previous secrets of webhook endpoints into a table of their own.
  '20261128143300_previous_webhook_secrets',
];

/** Migrations that rename or drop a table and put another with its name and columns into its place, in the same transaction. */
const WITH_A_SUBSTITUTE = ['20261126010200_partition_aging_tables'];

describe('a migration', () => {
  it('leaves the processes of the release before to work, or is known to need a stop', async () => {
    const migrations = await readMigrations(path.resolve('prisma/migrations'));
    const breaking = migrations.filter(({ script }) =>
      BREAKS_RUNNING_PROCESSES.some((pattern) => pattern.test(withoutComments(script))),
    );
    assert.deepEqual(
      breaking.map(({ name }) => name),
      [...WITH_A_STOP, ...WITH_A_SUBSTITUTE].toSorted(),
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

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import type { Prisma } from '../../../prisma/generated/client.ts';
import type { Column, Statement } from '../../../prisma/connection/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sampleStatements, STATEMENT_SUBJECTS } from '../../support/sample-statements.ts';

describe('the statements of prisma/queries', () => {
  let test: TestDatabase;
  let client: pg.Client;
  before(async () => {
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await test.close();
  });

  for (const subject of STATEMENT_SUBJECTS) {
    it(`${subject}: return the columns that they declare`, async () => {
      for (const { name, built } of await sampleStatements(subject)) {
        assert.deepEqual(await problemsOf(built), [], name);
      }
    });
  }

  /** Runs a statement in a transaction that is rolled back, and compares the columns of its result with those declared. */
  async function problemsOf(built: Statement<object> | Prisma.Sql): Promise<readonly string[]> {
    const { sql, columns } = 'columns' in built ? built : { sql: built, columns: undefined };
    const { fields } = await rolledBack(sql);
    if (columns === undefined) return [];
    const declared = Object.entries(columns as Readonly<Record<string, Column<unknown>>>);
    const types = await typesOf(fields);
    assert.deepEqual(fields.map(({ name }) => name).sort(), declared.map(([name]) => name).sort());
    return declared.flatMap(([name, { type, isNullable }]) => {
      const found = types.get(name);
      if (found?.type !== type) return [`${name} is ${found?.type}, declared as ${type}`];
      return found.mayBeNull && !isNullable ? [`${name} may be null`] : [];
    });
  }

  async function rolledBack({ text, values }: Prisma.Sql): Promise<pg.QueryResult> {
    await client.query('BEGIN');
    // The rows that a sample refers to need not exist.
    await client.query('SET LOCAL session_replication_role = replica');
    try {
      return await client.query(text, values);
    } finally {
      await client.query('ROLLBACK');
    }
  }

  /** The type of each column; a column of a table may be null where the table says so. */
  async function typesOf(
    fields: readonly pg.FieldDef[],
  ): Promise<ReadonlyMap<string, { readonly type: string; readonly mayBeNull: boolean }>> {
    const { rows } = await client.query<{ name: string; type: string; mayBeNull: boolean }>(
      `SELECT field.name, pg_type.typname AS type, attribute.attnotnull IS FALSE AS "mayBeNull"
       FROM unnest($1::text[], $2::oid[], $3::oid[], $4::int[]) AS field (name, type_id, table_id, number)
       JOIN pg_type ON pg_type.oid = type_id
       LEFT JOIN pg_attribute attribute ON attrelid = table_id AND attnum = number`,
      [
        fields.map(({ name }) => name),
        fields.map(({ dataTypeID }) => dataTypeID),
        fields.map(({ tableID }) => tableID),
        fields.map(({ columnID }) => columnID),
      ],
    );
    return new Map(rows.map(({ name, ...rest }) => [name, rest]));
  }
});

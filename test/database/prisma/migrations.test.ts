import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import { applyMigrations, MigrationError, readMigrations } from '../../../prisma/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { schemaAsSql } from '../../support/schema-engine.ts';

const DIRECTORY = path.resolve('prisma/migrations');
const EMPTY = `empty_${process.pid}`;

/**
 * The definition of all tables, one line for each fact, without what the schema cannot express: indexes that are partial or of
 * expressions, partitions, and that a table has partitions.
 */
const CATALOGUE = `
  SELECT format('%s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) ||
         format(' %s %s', character_maximum_length, datetime_precision) AS fact
  FROM information_schema.columns JOIN pg_class ON pg_class.oid = format('%I', table_name)::regclass
  WHERE table_schema = 'public' AND NOT relispartition
  UNION ALL
  SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND NOT relispartition
  UNION ALL
  SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index
  JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = 'public'::regnamespace AND indpred IS NULL AND indexprs IS NULL AND NOT relispartition
  ORDER BY fact`;

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function factsOf(url: string): Promise<string[]> {
  const rows = await query<{ fact: string }>(url, CATALOGUE);
  return rows.map(({ fact }) => fact).filter((fact) => !fact.includes('_prisma_migrations'));
}

describe('migrations', function () {
  this.timeout(120_000);
  let migrated: TestDatabase;
  let emptyUrl: string;

  before(async () => {
    migrated = await createTestDatabase();
    const url = new URL(migrated.url);
    url.pathname = EMPTY;
    emptyUrl = url.href;
    await query(migrated.url, `CREATE DATABASE ${EMPTY}`);
  });
  after(async () => {
    await query(migrated.url, `DROP DATABASE ${EMPTY} WITH (FORCE)`);
    await migrated.close();
  });

  it('create exactly the tables of schema.prisma', async () => {
    await query(emptyUrl, await schemaAsSql(migrated.url));
    const described = await factsOf(emptyUrl);
    assert.ok(described.length > 100);
    assert.deepEqual(await factsOf(migrated.url), described);
  });

  it('are recorded with one row each, as finished in one step', async () => {
    const rows = await query<{ migration_name: string; checksum: string; done: boolean }>(
      migrated.url,
      `SELECT migration_name, checksum, finished_at >= started_at AND applied_steps_count = 1 AND logs IS NULL AS done
       FROM _prisma_migrations ORDER BY migration_name`,
    );
    const expected = (await readMigrations(DIRECTORY)).map(({ name, checksum }) => ({ name, checksum, done: true }));
    assert.deepEqual(
      rows.map(({ migration_name: name, checksum, done }) => ({ name, checksum, done })),
      expected,
    );
  });

  it('are not applied twice', async () => {
    assert.deepEqual((await applyMigrations({ url: migrated.url, directory: DIRECTORY })).applied, []);
  });

  it('roll back when they fail, and are refused when one was edited', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    try {
      await cp(DIRECTORY, folder, { recursive: true });
      const broken = path.join(folder, '99990101000000_broken');
      await cp(path.join(folder, (await readMigrations(folder))[0]?.name ?? ''), broken, { recursive: true });
      await writeFile(path.join(broken, 'migration.sql'), 'CREATE TABLE half_made (id int); SELECT nonsense();');
      const apply = async () => (await applyMigrations({ url: migrated.url, directory: folder })).applied;
      await assert.rejects(apply(), (error) => error instanceof MigrationError && error.message.includes('_broken'));
      assert.deepEqual(await query(migrated.url, `SELECT FROM pg_class WHERE relname = 'half_made'`), []);

      await writeFile(path.join(broken, 'migration.sql'), 'SELECT 1;');
      assert.deepEqual(await apply(), ['99990101000000_broken']);
      await writeFile(path.join(broken, 'migration.sql'), 'SELECT 2;');
      await assert.rejects(apply(), /99990101000000_broken was changed after/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

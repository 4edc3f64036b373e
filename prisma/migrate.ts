import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { messageOf } from '../domain/message-of.ts';
import { UserError } from '../domain/user-error.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { applyGrants } from './grants.ts';

/** A migration that cannot be applied; the message says why and what to do. */
export class MigrationError extends UserError {
  override readonly name = 'MigrationError';
}

export interface Migration {
  /** Name of its folder: a timestamp and a word. */
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script's bytes, hex. */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

export interface MigrationOptions {
  readonly url: string;
  /** The folder that holds one folder with a `migration.sql` for each migration. */
  readonly directory: string;
}

export interface MigrationResult {
  /** The names of the migrations that were applied now. */
  readonly applied: readonly string[];
  /** The names of the engine's roles that do not exist because the user of the address may not create roles. */
  readonly missingRoles: readonly string[];
}

/** The lock that `prisma migrate` uses too, so that both never run at the same time. */
const PRISMA_ADVISORY_LOCK = 72_707_369;

const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const SELECT_APPLIED = `
  SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

const RECORD_APPLIED = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`;

/**
 * Brings the database to the newest migration, one transaction a migration, and records each as `prisma migrate deploy`
 * does; then gives the engine's roles their grants. Safe to run from several processes at once.
 * @throws MigrationError when an applied migration was changed afterwards, or one fails
 */
export async function applyMigrations({ url, directory }: MigrationOptions): Promise<MigrationResult> {
  const migrations = await readMigrations(directory);
  return withClient(url, (client) => applyUnderLock(client, migrations));
}

/**
 * The names of the migrations that the database lacks, oldest first. It changes nothing.
 * @throws MigrationError when what was applied and what the folder holds contradict each other
 */
export async function findPendingMigrations({ url, directory }: MigrationOptions): Promise<readonly string[]> {
  const migrations = await readMigrations(directory);
  const { rows } = await withClient(url, (client) => client.query<AppliedMigration>(SELECT_APPLIED));
  return pendingMigrations(migrations, rows).map(({ name }) => name);
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10 * SECOND_MS,
    statement_timeout: 10 * MINUTE_MS,
    // Where the server is gone, nothing else ends the wait.
    query_timeout: 11 * MINUTE_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads the migrations of a folder, oldest first. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(path.join(directory, name, 'migration.sql'), 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

/**
 * The migrations that still have to be applied, oldest first.
 * @throws MigrationError when what was applied and what the folder holds contradict each other
 */
function pendingMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const unfinished = applied.find(({ finished }) => !finished);
  if (unfinished !== undefined) {
    throw new MigrationError(
      `Migration ${unfinished.name} was begun by another tool and never finished. Repair the database, then mark it with "npx prisma migrate resolve".`,
    );
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new MigrationError(
      `Migration ${changed.name} was changed after it had been applied to this database. Restore its file and put the change into a new migration.`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

async function applyUnderLock(client: pg.Client, migrations: readonly Migration[]): Promise<MigrationResult> {
  await client.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK]);
  await client.query(CREATE_TABLE);
  const { rows } = await client.query<AppliedMigration>(SELECT_APPLIED);
  const pending = pendingMigrations(migrations, rows);
  for (const migration of pending) await applyOne(client, migration);
  return { applied: pending.map(({ name }) => name), missingRoles: await applyGrants(client) };
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query('BEGIN');
    await client.query(migration.script);
    await client.query(RECORD_APPLIED, [randomUUID(), migration.checksum, migration.name, startedAt]);
    await client.query('COMMIT');
  } catch (error) {
    const reason = messageOf(error);
    throw new MigrationError(`Migration ${migration.name} failed and was rolled back: ${reason}`, { cause: error });
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'mocha';
import pg from 'pg';
import { createDatabase, type Database } from '../../prisma/connection/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { initializePostgres, postgresSpec } from '../../sandbox/stack/postgres.ts';
import { createSupervisor } from '../../sandbox/stack/supervisor.ts';
import { timeStart } from './test-times.ts';

/** A separate database with every migration applied. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Cuts every connection, as a restart of the server would, and resolves when `database` works again. */
  cutConnections(): Promise<void>;
  /** Restarts the server, and resolves when `database` works again. */
  restartServer(): Promise<void>;
  /** Closes the client and drops the database. */
  close(): Promise<void>;
}

interface Server {
  urlOf(databaseName: string): string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const TEMPLATE = 'template_migrated';
const MAINTENANCE = 'postgres';
/** Compiled tests lie in `dist/test/support`, the migrations beside the sources. */
const MIGRATIONS_DIRECTORY = path.resolve('prisma/migrations');

/**
 * Tests need no data after a crash of the machine, and make a database each. In a time zone other than UTC, a time that is written or
 * read without its zone shows.
 */
const PARAMETERS = ['fsync=off', 'full_page_writes=off', 'timezone=Asia/Kolkata'];

const POOL_SIZE = 5;

let starting: Promise<Server> | undefined;

/** Gives a fresh clone of the migrated database; the first call starts the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  starting ??= timeStart('database server', startServer);
  const server = await starting;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintain = (statement: string): Promise<void> => runStatement(server.urlOf(MAINTENANCE), statement);
  await maintain(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = server.urlOf(name);
  const database = createDatabase({ url, poolSize: POOL_SIZE });
  return {
    url,
    database,
    async cutConnections() {
      await maintain(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      while (!(await areAllUsable(database))) continue;
    },
    async restartServer() {
      await server.restart();
      while (!(await areAllUsable(database))) continue;
    },
    async close() {
      await database.$disconnect();
      await maintain(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A database for the tests of a suite. Call it inside `describe`: it is made before them, and dropped after them. */
export function useTestDatabase(): Omit<TestDatabase, 'close'> {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());
  return {
    get url() {
      return test.url;
    },
    get database() {
      return test.database;
    },
    cutConnections: () => test.cutConnections(),
    restartServer: () => test.restartServer(),
  };
}

after(async function stopServer() {
  this.timeout(30_000);
  const server = await starting;
  await server?.stop();
});

async function startServer(): Promise<Server> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-test-'));
  const [port = 0] = await findFreePorts(1);
  const password = randomBytes(12).toString('hex');
  const options = { dataDir, port, password, settings: process.env, parameters: PARAMETERS };
  await initializePostgres(options);
  const supervisor = createSupervisor({ dataDir, report: () => undefined });
  await supervisor.start(await postgresSpec(options));
  const urlOf = (name: string): string => `postgresql://postgres:${password}@127.0.0.1:${port}/${name}`;
  await runStatement(urlOf(MAINTENANCE), `CREATE DATABASE ${TEMPLATE}`);
  await applyMigrations({ url: urlOf(TEMPLATE), directory: MIGRATIONS_DIRECTORY });
  return {
    urlOf,
    restart: () => supervisor.restart('postgres'),
    async stop() {
      await supervisor.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a statement on every connection of the pool concurrently. */
async function areAllUsable(database: Database): Promise<boolean> {
  const asking = Array.from({ length: POOL_SIZE }, () => database.$queryRaw`SELECT pg_sleep(0.01)::text`);
  return (await Promise.allSettled(asking)).every(({ status }) => status === 'fulfilled');
}

/** Runs a statement on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

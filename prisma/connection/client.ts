import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import { createDirectStatements, type DirectStatements } from './direct-statements.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';
import { createKeyedMutex, type RunExclusive } from './keyed-mutex.ts';
import { traceStatements } from './trace-statements.ts';

export type Database = PrismaClient & {
  readonly direct: DirectStatements;
  readonly poolState: () => PoolState;
  readonly runExclusive: RunExclusive;
};

/** The connections of a pool. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  /** Most connections that it opens. */
  readonly limit: number;
}

export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/database` */
  readonly url: string;
  /** Most connections this process opens. */
  readonly poolSize: number;
}

/** The limits of every wait for the database; the client's own timeout applies only if the server does not answer at all. */
const TIMEOUTS = {
  connectionTimeoutMillis: 5 * SECOND_MS,
  statement_timeout: 10 * SECOND_MS,
  query_timeout: 15 * SECOND_MS,
  idle_in_transaction_session_timeout: 15 * SECOND_MS,
};

/** The same for a transaction: how long it waits for a connection, and how long it may take. */
const TRANSACTION_LIMITS = { maxWait: TIMEOUTS.connectionTimeoutMillis, timeout: TIMEOUTS.query_timeout };

/** The server keeps a prepared statement per name and connection, so their number is limited. */
const MAXIMUM_PREPARED_STATEMENTS = 500;
const UNNAMED = '';

/** A client of the database; it connects at the first query. Close it with `$disconnect()`. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const statementNameGenerator = createStatementNames(MAXIMUM_PREPARED_STATEMENTS);
  const adapter = new PrismaPg(pool, { statementNameGenerator });
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
  const disconnect = client.$disconnect.bind(client);
  const runExclusive = createKeyedMutex();
  return Object.assign(client, {
    direct: createDirectStatements(pool, statementNameGenerator, runExclusive),
    poolState: () => stateOf(pool),
    runExclusive,
    async $disconnect() {
      await disconnect();
      if (!pool.ending) await pool.end();
    },
  });
}

/** Connections of their own for direct statements; to be closed at the end. */
export interface DirectConnections {
  readonly direct: DirectStatements;
  readonly poolState: () => PoolState;
  close(): Promise<void>;
}

/** Connections beside those of a client, which they leave free; the first one opens at the first statement. */
export function createDirectConnections(options: DatabaseOptions): DirectConnections {
  const pool = createPool(options);
  const direct = createDirectStatements(pool, createStatementNames(MAXIMUM_PREPARED_STATEMENTS), createKeyedMutex());
  return { direct, poolState: () => stateOf(pool), close: () => pool.end() };
}

function stateOf({ totalCount, idleCount, waitingCount, options }: pg.Pool): PoolState {
  return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max };
}

/**
 * Every connection executes these first. Prisma's adapter sends times without a zone and drops the zone of those that it reads, so it
 * takes every time for UTC. Neither the adapter nor the driver reads another style of dates.
 */
export const SESSION_SETTINGS = `SET TimeZone = 'UTC'; SET DateStyle = 'ISO'`;

/** The pool waits for the function, which its types do not say. */
const ON_CONNECT: object = { onConnect: (client: pg.ClientBase) => client.query(SESSION_SETTINGS) };

function createPool({ url, poolSize }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, keepAlive: true, ...TIMEOUTS, ...ON_CONNECT });
  // A connection that breaks while idle is replaced; without a listener its error would end the process.
  pool.on('error', () => undefined);
  return traceStatements(pool);
}

/** Does work of Prisma Client in a transaction that first takes a lock, so that it sees all changes made under it. */
export function transactionWithLock<Result>(
  database: Database,
  lock: Prisma.Sql,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return database.runExclusive(lock, () =>
    database.$transaction(async (transaction) => {
      await takeLock(transaction, lock);
      return await work(transaction);
    }),
  );
}

/** Takes a further lock in a transaction. */
export async function takeLock(transaction: Prisma.TransactionClient, lock: Prisma.Sql): Promise<void> {
  await transaction.$executeRaw(lock);
}

/**
 * Gives each of the first `limit` statement texts a name, always the same for the same text; later texts get no name and are not
 * kept prepared.
 */
export function createStatementNames(limit: number): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= limit) return UNNAMED;
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    names.set(sql, name);
    return name;
  };
}

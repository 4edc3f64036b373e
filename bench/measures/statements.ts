import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';

/** A statement without its parameters, and how often it ran. */
interface StatementCount {
  readonly statement: string;
  readonly calls: number;
}

/** Counts the statements that a database receives. */
export interface StatementCounter {
  /** The statements during `something`, less those of an idle period, scaled to the same time. */
  during(something: () => Promise<unknown>): Promise<readonly StatementCount[]>;
  end(): Promise<void>;
}

const IDLE_MS = 2 * SECOND_MS;

/**
 * Turns counting on, which takes a restart of PostgreSQL.
 * @param restart restarts it
 */
export async function countStatements(databaseUrl: string, restart: () => Promise<void>): Promise<StatementCounter> {
  await withClient(databaseUrl, (client) =>
    client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"),
  );
  await restart();
  const client = await connect(databaseUrl);
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return {
    async during(something) {
      const idle = await callsDuring(client, () => sleep(IDLE_MS));
      const busy = await callsDuring(client, something);
      return [...busy.calls]
        .map(([statement, calls]) => ({
          statement,
          calls: calls - ((idle.calls.get(statement) ?? 0) / idle.elapsedMs) * busy.elapsedMs,
        }))
        .toSorted((a, b) => b.calls - a.calls);
    },
    end: () => client.end(),
  };
}

interface Calls {
  readonly calls: ReadonlyMap<string, number>;
  readonly elapsedMs: number;
}

async function callsDuring(client: pg.Client, something: () => Promise<unknown>): Promise<Calls> {
  await client.query('SELECT pg_stat_statements_reset()');
  const startedAt = performance.now();
  await something();
  const elapsedMs = performance.now() - startedAt;
  const { rows } = await client.query<{ query: string; calls: string }>(
    `SELECT query, sum(calls) AS calls FROM pg_stat_statements
     WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY query`,
  );
  return { calls: new Map(rows.map(({ query, calls }) => [query, Number(calls)])), elapsedMs };
}

async function withClient(databaseUrl: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    await run(client);
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10 * SECOND_MS,
    query_timeout: 30 * SECOND_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

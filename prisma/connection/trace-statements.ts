import type pg from 'pg';
import { inSpanOfTrace, isTracing, type SpanDescription } from '../../traces/tracer.ts';

/** Longer texts are cut in traces. */
const MAXIMUM_TEXT = 1_000;

type Query = (query: string | { readonly text: string }, ...rest: readonly unknown[]) => unknown;

/**
 * Makes each statement of a pool a span of the trace in which it runs: the text with placeholders, never a value. Where nothing
 * is traced, the pool stays as it is.
 */
export function traceStatements(pool: pg.Pool): pg.Pool {
  if (!isTracing()) return pool;
  const connect = pool.connect.bind(pool);
  const traced = new WeakSet<pg.PoolClient>();
  const connectTraced = async (): Promise<pg.PoolClient> => {
    const client = await connect();
    if (!traced.has(client)) Object.assign(client, { query: tracedQuery(client.query.bind(client) as Query) });
    traced.add(client);
    return client;
  };
  return Object.assign(pool, {
    query: tracedQuery(pool.query.bind(pool) as Query),
    // The pool itself acquires connections with a callback.
    connect: (callback?: Parameters<typeof connect>[0]) =>
      callback === undefined ? connectTraced() : connect(callback),
  });
}

/** Calls with a callback are those that the pool makes for a statement which has a span already. */
function tracedQuery(query: Query): Query {
  return (statement, ...rest) => {
    if (typeof rest.at(-1) === 'function') return query(statement, ...rest);
    const text = typeof statement === 'string' ? statement : statement.text;
    return inSpanOfTrace(
      () => spanOf(text),
      () => Promise.resolve(query(statement, ...rest)),
    );
  };
}

function spanOf(text: string): SpanDescription {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAXIMUM_TEXT) };
  return { name: summaryOf(text), kind: 'client', attributes };
}

/** What a statement does, and the first table that it names: `UPDATE payment_intent`. */
export function summaryOf(text: string): string {
  const [, verb = 'SQL'] = /^\W*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+(?:"?public"?\.)?"?(\w+)/i.exec(text) ?? [];
  return [verb.toUpperCase(), table].filter((word) => word !== undefined).join(' ');
}

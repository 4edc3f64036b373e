import pg from 'pg';
import { getStack } from './stack.ts';

/** Runs one statement in the database of the running engine, over a connection of its own. */
export async function queryStack<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: getStack().sandbox.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

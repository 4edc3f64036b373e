import pg from 'pg';
import type { Prisma } from '../generated/client.ts';
import { assertRows, type Statement } from './statement.ts';
import type { RunExclusive } from './keyed-mutex.ts';

/**
 * Runs statements on Prisma's connections without Prisma's engine, which costs more than a short statement itself. For
 * statements that run many times a second; they cannot be part of a `$transaction`.
 */
export interface DirectStatements {
  /** Returns the rows of a statement. @throws TypeError when they do not have its columns; what it wrote stays written */
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Returns the only row of a statement, or undefined. */
  row<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** Returns the rows of a statement, in a transaction that first takes a lock, so that it sees all changes made under it. */
  rowsLocked<Row>(lock: Prisma.Sql, statement: Statement<Row>): Promise<Row[]>;
  /** Runs a statement. @returns the number of rows that it changed */
  execute(statement: Prisma.Sql): Promise<number>;
}

/**
 * @param nameOf the name under which a statement stays prepared, empty if it does not
 * @param runExclusive makes work that takes the same lock wait in turn
 */
export function createDirectStatements(
  pool: Pick<pg.Pool, 'query' | 'connect'>,
  nameOf: (query: { readonly sql: string }) => string,
  runExclusive: RunExclusive,
): DirectStatements {
  const queryOf = ({ text, values }: Prisma.Sql, dependsOnValues = false): pg.QueryConfig => ({
    name: dependsOnValues ? '' : nameOf({ sql: text }),
    text,
    values,
    types: TYPES,
  });
  const rows = async <Row>({ sql, columns, dependsOnValues }: Statement<Row>): Promise<Row[]> =>
    checkedRows(await pool.query(queryOf(sql, dependsOnValues)), columns);
  const rowsLocked = async <Row>(lock: Prisma.Sql, { sql, columns }: Statement<Row>): Promise<Row[]> => {
    const client = await pool.connect();
    // Without a listener, the error of a connection that breaks between two statements would end the process.
    client.on('error', ignore);
    let isSound = false;
    try {
      await client.query('BEGIN');
      await client.query(queryOf(lock));
      const found = checkedRows(await client.query(queryOf(sql)), columns);
      await client.query('COMMIT');
      isSound = true;
      return found;
    } finally {
      client.off('error', ignore);
      // A connection that failed within a transaction is closed, which rolls it back.
      client.release(!isSound);
    }
  };
  return {
    rows,
    row: async (statement) => (await rows(statement))[0],
    rowsLocked: (lock, statement) => runExclusive(lock, () => rowsLocked(lock, statement)),
    async execute(statement) {
      const { rowCount } = await pool.query(queryOf(statement));
      return rowCount ?? 0;
    },
  };
}

function checkedRows<Row>(result: { readonly rows: readonly unknown[] }, columns: Statement<Row>['columns']): Row[] {
  const { rows } = result;
  assertRows(rows, columns);
  return rows;
}

const ignore = (): void => undefined;

const INT8: number = pg.types.builtins.INT8;

/** Values have the types that Prisma gives them: pg returns int8 as text, Prisma as a bigint. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (oid as number) === INT8 && format !== 'binary'
      ? BigInt
      : (pg.types.getTypeParser(oid, format) as (value: string | Buffer) => unknown),
};

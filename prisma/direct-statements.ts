import pg from 'pg';
import { Prisma } from './generated/client.ts';

/**
 * Runs statements on Prisma's connections without Prisma's engine, which costs more than a short statement itself. For
 * statements that run many times a second. They are written like those of `$queryRaw` and `$executeRaw`, and cannot be part
 * of a `$transaction`.
 */
export interface DirectStatements {
  /** Returns rows with the same types as Prisma: bigint, Date, parsed JSON. `Rows` is what the statement selects. */
  query<Rows extends readonly unknown[]>(
    statement: TemplateStringsArray | Prisma.Sql,
    ...values: readonly unknown[]
  ): Promise<Rows>;
  /** Runs a statement in a transaction that first acquires a lock, so that it sees all changes made under that lock. */
  queryLocked<Rows extends readonly unknown[]>(lock: Prisma.Sql, statement: Prisma.Sql): Promise<Rows>;
  /** Runs a statement. @returns the number of rows that it changed */
  execute(statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]): Promise<number>;
}

/** @param nameOf the name under which a statement stays prepared, empty where it does not */
export function createDirectStatements(
  pool: Pick<pg.Pool, 'query' | 'connect'>,
  nameOf: (query: { readonly sql: string }) => string,
): DirectStatements {
  const queryOf = ({ text, values }: Prisma.Sql): pg.QueryConfig => ({
    name: nameOf({ sql: text }),
    text,
    values,
    types: TYPES,
  });
  const run = (
    statement: TemplateStringsArray | Prisma.Sql,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<never>> => pool.query<never>(queryOf(sqlOf(statement, values)));
  return {
    async query<Rows extends readonly unknown[]>(
      statement: TemplateStringsArray | Prisma.Sql,
      ...values: readonly unknown[]
    ): Promise<Rows> {
      const { rows } = await run(statement, values);
      return rows as readonly unknown[] as Rows;
    },
    async queryLocked<Rows extends readonly unknown[]>(lock: Prisma.Sql, statement: Prisma.Sql): Promise<Rows> {
      const client = await pool.connect();
      // Without a listener, the error of a connection that breaks between two statements would end the process.
      client.on('error', ignore);
      let isSound = false;
      try {
        await client.query('BEGIN');
        await client.query(queryOf(lock));
        const { rows } = await client.query<never>(queryOf(statement));
        await client.query('COMMIT');
        isSound = true;
        return rows as readonly unknown[] as Rows;
      } finally {
        client.off('error', ignore);
        // A connection that failed within a transaction is closed, which rolls it back.
        client.release(!isSound);
      }
    },
    async execute(statement, ...values) {
      const { rowCount } = await run(statement, values);
      return rowCount ?? 0;
    },
  };
}

const ignore = (): void => undefined;

/** A template with its values, or a statement that was built before, as a `Sql` object. */
export function sqlOf(statement: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]): Prisma.Sql {
  return statement instanceof Prisma.Sql ? statement : Prisma.sql(statement, ...values);
}

const INT8: number = pg.types.builtins.INT8;

/** pg returns int8 as text; Prisma returns a bigint. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (oid as number) === INT8 && format !== 'binary'
      ? BigInt
      : (pg.types.getTypeParser(oid, format) as (value: string | Buffer) => unknown),
};

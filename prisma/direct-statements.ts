import pg from 'pg';
import { Prisma } from './generated/client.ts';

/**
 * Statements that run many times a second, past Prisma's engine, which costs more than such a statement itself. They are
 * written as those of `$queryRaw` and `$executeRaw` are, and run on the same connections; they cannot be part of a
 * `$transaction`.
 */
export interface DirectStatements {
  /** Rows with the types that Prisma gives: bigint, Date, parsed JSON. `Rows` is what the statement selects. */
  query<Rows extends readonly unknown[]>(
    statement: TemplateStringsArray | Prisma.Sql,
    ...values: readonly unknown[]
  ): Promise<Rows>;
  /** How many rows a statement has changed. */
  execute(statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]): Promise<number>;
}

/** @param nameOf the name under which a statement stays prepared, empty where it does not */
export function createDirectStatements(
  pool: Pick<pg.Pool, 'query'>,
  nameOf: (query: { readonly sql: string }) => string,
): DirectStatements {
  const run = (
    statement: TemplateStringsArray | Prisma.Sql,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<never>> => {
    const { text, values: parameters } = sqlOf(statement, values);
    return pool.query<never>({ name: nameOf({ sql: text }), text, values: parameters, types: TYPES });
  };
  return {
    async query<Rows extends readonly unknown[]>(
      statement: TemplateStringsArray | Prisma.Sql,
      ...values: readonly unknown[]
    ): Promise<Rows> {
      const { rows } = await run(statement, values);
      return rows as readonly unknown[] as Rows;
    },
    async execute(statement, ...values) {
      const { rowCount } = await run(statement, values);
      return rowCount ?? 0;
    },
  };
}

/** What was written as a template or made before, as one. */
export function sqlOf(statement: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]): Prisma.Sql {
  return statement instanceof Prisma.Sql ? statement : Prisma.sql(statement, ...values);
}

const INT8: number = pg.types.builtins.INT8;

/** pg hands such numbers over as text, for fear of losing digits. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (oid as number) === INT8 && format !== 'binary'
      ? BigInt
      : (pg.types.getTypeParser(oid, format) as (value: string | Buffer) => unknown),
};

import { Prisma } from '../generated/client.ts';

/** The type of a column in the rows of a statement. Every value is checked when it is read. */
export interface Column<Value> {
  /** As PostgreSQL calls it, such as `int8` or `_text` (an array). */
  readonly type: string;
  readonly isNullable: boolean;
  readonly accepts: (value: unknown) => value is Value;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** A statement that returns rows, or the expressions that it selects, and the types of the columns. */
export interface Statement<Row> {
  readonly sql: Prisma.Sql;
  readonly columns: Columns<Row>;
  /** Whether the best plan depends on the values, so that the statement must not stay prepared with one plan for all values. */
  readonly dependsOnValues?: boolean;
}

export type RowOf<Built> = Built extends Statement<infer Row> ? Row : never;

export const text: Column<string> = column('text', (value) => typeof value === 'string');
export const boolean: Column<boolean> = column('bool', (value) => typeof value === 'boolean');
export const integer: Column<number> = column('int4', (value) => typeof value === 'number');
export const double: Column<number> = column('float8', (value) => typeof value === 'number');
export const bigint: Column<bigint> = column('int8', (value) => typeof value === 'bigint');
export const timestamp: Column<Date> = column('timestamptz', (value) => value instanceof Date);
export const bytes: Column<Uint8Array<ArrayBuffer>> = column(
  'bytea',
  (value): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array,
);
export const texts: Column<string[]> = column('_text', (value): value is string[] => Array.isArray(value));

/** Text that is one of these values. */
export function oneOf<Value extends string>(values: readonly Value[]): Column<Value> {
  const known: readonly unknown[] = values;
  return column('text', (value): value is Value => known.includes(value));
}

/** The same without a check, so that a value of a later version does not make the other rows of a result fail. */
export function uncheckedText<Value extends string>(): Column<Value> {
  return column('text', (value): value is Value => typeof value === 'string');
}

/** JSON that this engine has written, or that the statement builds; it is not checked. */
export function json<Value extends object>(type: 'json' | 'jsonb' = 'jsonb'): Column<Value> {
  return column(type, (value): value is Value => typeof value === 'object' && value !== null);
}

/** JSON that its reader checks. */
export const unknownJson: Column<unknown> = {
  type: 'jsonb',
  isNullable: true,
  accepts: (_value): _value is unknown => true,
};

export function nullable<Value>({ type, accepts }: Column<Value>): Column<Value | null> {
  return { type, isNullable: true, accepts: (value) => value === null || accepts(value) };
}

/**
 * A template tag for a statement that returns rows with these columns: ``returning({ id: text })`SELECT id FROM …` ``. Values
 * become parameters; a `Prisma.Sql` among them becomes part of the statement.
 */
export function returning<Row extends object>(
  columns: Columns<Row>,
): (strings: TemplateStringsArray, ...values: readonly unknown[]) => Statement<Row> {
  return (strings, ...values) => ({ sql: Prisma.sql(strings, ...values), columns });
}

/** A time as the API and histories write it. @param column its SQL expression, never a text from outside */
export function isoText(column: string): Prisma.Sql {
  return Prisma.sql`to_char(${Prisma.raw(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** @throws TypeError when a row does not have the columns of its statement */
export function assertRows<Row>(rows: readonly unknown[], columns: Columns<Row>): asserts rows is Row[] {
  for (const row of rows) assertRow(row, columns);
}

/** @throws TypeError when a row does not have the columns of its statement */
export function assertRow<Row>(row: unknown, columns: Columns<Row>): asserts row is Row {
  for (const [name, { type, accepts }] of Object.entries<Column<unknown>>(columns)) {
    if (!accepts(Reflect.get(Object(row), name)))
      throw new TypeError(`the column ${name} of a row is not of type ${type}`);
  }
}

function column<Value>(type: string, accepts: (value: unknown) => value is Value): Column<Value> {
  return { type, isNullable: false, accepts };
}

/** A row of a table as `to_jsonb` turns it into JSON: names of columns, times as text, numbers of any size as numbers. */
export type JsonRow<Model> = {
  readonly [Name in keyof Model & string as SnakeCase<Name>]: InJson<Model[Name]>;
};

/** A row with some columns of narrower types than the schema can express, such as one of the known states. */
export type Narrowed<Row, Types extends Partial<Record<keyof Row, unknown>>> = Omit<Row, keyof Types> & Types;

/** A row that Prisma Client has read, as JSON; its columns hold no JSON and no bytes. */
export function jsonRowOf<Model extends object>(row: Model): JsonRow<Model> {
  const columns: readonly [string, unknown][] = Object.entries(row);
  return Object.fromEntries(columns.map(([name, value]) => [snakeCase(name), inJson(value)])) as JsonRow<Model>;
}

function inJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type InJson<Value> = Value extends Date ? string : Value extends bigint ? number : Value;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

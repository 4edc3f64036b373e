/** A row of a table as `to_jsonb` turns it into JSON: names of columns, times as text, numbers of any size as numbers. */
export type JsonRow<Model> = {
  readonly [Name in keyof Model & string as SnakeCase<Name>]: InJson<Model[Name]>;
};

/** A row some of whose columns have a narrower type than the schema can say, such as one of the known states. */
export type Narrowed<Row, Types extends Partial<Record<keyof Row, unknown>>> = Omit<Row, keyof Types> & Types;

type InJson<Value> = Value extends Date ? string : Value extends bigint ? number : Value;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

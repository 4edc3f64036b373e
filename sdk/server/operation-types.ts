import type { components, operations } from './generated/api.ts';
import type { OPERATIONS } from './generated/operations.ts';

/** The name of an operation, as the OpenAPI document has it. */
export type OperationId = keyof typeof OPERATIONS;

export interface CallOptions {
  /** Of a POST; a new one is made for each call otherwise. The same for every try of the call. */
  readonly idempotencyKey?: string;
  /** The merchant account to act for, instead of the client's. */
  readonly merchantId?: string;
  /** Answer at once rather than wait for the outcome. */
  readonly respondAsync?: boolean;
  /** For one try, instead of the client's. */
  readonly timeoutMs?: number;
  /** Gives the call up, also between tries; what the engine has begun goes on. */
  readonly signal?: AbortSignal;
}

type PathValues<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path } ? Path : never;

/** The variable parts of a path, in its order. */
type PathArguments<Path extends string, Values> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [part: Name extends keyof Values ? Values[Name] : string, ...PathArguments<Rest, Values>]
  : [];

export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Values }
  ? NonNullable<Values>
  : never;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;

/** A query may be left out, a body only where nothing in it is required. */
type ContentArguments<Id extends OperationId> = (typeof OPERATIONS)[Id]['input'] extends 'query'
  ? [query?: Query<Id>]
  : (typeof OPERATIONS)[Id]['input'] extends 'body'
    ? operations[Id] extends { requestBody: infer Body }
      ? [body: JsonOf<Body>]
      : operations[Id] extends { requestBody?: infer Body }
        ? [body?: JsonOf<NonNullable<Body>>]
        : never
    : [];

type Envelope<Id extends OperationId> = operations[Id]['responses'] extends { 201: infer Created }
  ? JsonOf<Created>
  : operations[Id]['responses'] extends { 200: infer Done }
    ? JsonOf<Done>
    : never;

/** One page of a list. */
export interface Page<Element> {
  readonly data: readonly Element[];
  readonly pagination: components['schemas']['Pagination'];
}

/** What an operation gives: the envelope's `data`, or a whole page of a list. */
type Result<Id extends OperationId> =
  Envelope<Id> extends { data: (infer Element)[]; pagination: unknown }
    ? Page<Element>
    : Envelope<Id> extends { data: infer Data }
      ? Data
      : never;

/** One of the things on a list. */
export type Item<Id extends OperationId> = Result<Id> extends Page<infer Element> ? Element : never;

/** An operation as a function: the variable parts of its path, then its query or body, then options. */
export type Method<Id extends OperationId> = (
  ...input: [
    ...PathArguments<(typeof OPERATIONS)[Id]['path'], PathValues<Id>>,
    ...ContentArguments<Id>,
    options?: CallOptions,
  ]
) => Promise<Result<Id>>;

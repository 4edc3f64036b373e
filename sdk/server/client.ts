import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from './generated/operations.ts';
import { iterate } from './iterate.ts';
import type { CallOptions, Item, Method, OperationId, Page, Query } from './operation-types.ts';
import { RESOURCES } from './resources.ts';
import { type Pause, withRetries } from './retry.ts';
import type { Credentials } from './sign.ts';
import { type Fetch, sendOnce, type SuccessEnvelope } from './transport.ts';

export interface ClientOptions extends Credentials {
  /** Without the path: `https://payments.example`. */
  readonly baseUrl: string;
  /** For one try; 30 seconds otherwise. A payment's outcome is waited for up to 15. */
  readonly timeoutMs?: number;
  /** Node's own otherwise. */
  readonly fetch?: Fetch;
  /** How to wait between two tries; a timer otherwise. */
  readonly pause?: Pause;
}

type Resources = typeof RESOURCES;

/** Everything that is on a list; pages are read as they are needed. */
type Iterate<Id extends OperationId> = (
  query?: Omit<Query<Id>, 'page'>,
  options?: Omit<CallOptions, 'idempotencyKey' | 'respondAsync'>,
) => AsyncGenerator<Item<Id>, void, undefined>;

type Resource<Operations extends Readonly<Record<string, OperationId>>> = {
  readonly [Name in keyof Operations]: Method<Operations[Name]>;
} & (Operations extends { readonly list: infer Id extends OperationId }
  ? { readonly iterate: Iterate<Id> }
  : Readonly<Record<never, never>>);

/**
 * The operations of the engine by resource. Each try of a call is signed, a POST gets an idempotency key, and what failed in
 * passing is repeated under the same key after 1, 2 and 4 seconds, or when the engine says.
 * A call throws `PaymentEngineError` with the engine's code, `PaymentEngineConnectionError` when no try was answered.
 */
export type Client = { readonly [Name in keyof Resources]: Resource<Resources[Name]> };

const DEFAULT_TIMEOUT_MS = 30_000;
const LARGEST_PAGE = 100;

const pauseByTimer: Pause = (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal });

/** A client of the engine for servers. It keeps nothing open and need not be closed. */
export function createClient(options: ClientOptions): Client {
  const resources = Object.entries(RESOURCES).map(([name, operations]) => [name, resourceOf(options, operations)]);
  // The table gives both the methods and their types.
  return Object.fromEntries(resources) as Client;
}

type AnyMethod = (...input: readonly unknown[]) => Promise<unknown>;

function resourceOf(options: ClientOptions, operations: Readonly<Record<string, OperationId>>) {
  const methods = Object.fromEntries(Object.entries(operations).map(([name, id]) => [name, methodOf(options, id)]));
  const { list } = methods;
  return list === undefined ? methods : { ...methods, iterate: iterateOf(list) };
}

function iterateOf(list: AnyMethod) {
  return (query: object = {}, options?: CallOptions) =>
    iterate((startingAfter?: string) => {
      const place = startingAfter === undefined ? {} : { startingAfter };
      // The document has it that a list gives pages of things with ids.
      return list({ limit: LARGEST_PAGE, ...query, ...place }, options) as Promise<Page<{ readonly id: string }>>;
    });
}

function methodOf(client: ClientOptions, operationId: OperationId): AnyMethod {
  const { method, path, input } = OPERATIONS[operationId];
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([variable]) => variable);
  return async (...values) => {
    const content = input === 'none' ? undefined : values[variables.length];
    const options: CallOptions = asOptions(values[variables.length + (input === 'none' ? 0 : 1)]);
    const target = variables.reduce<string>((filled, variable, index) => fill(filled, variable, values[index]), path);
    const body = input === 'body' ? JSON.stringify(content ?? {}) : undefined;
    const request = {
      method,
      target: input === 'query' ? `${target}${queryString(content)}` : target,
      body,
      headers: headersOf(method, options),
      timeoutMs: options.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      signal: options.signal,
    };
    const transport = { ...client, merchantId: options.merchantId ?? client.merchantId, fetch: client.fetch ?? fetch };
    const pause = client.pause ?? pauseByTimer;
    return contentOf(await withRetries(() => sendOnce(transport, request), pause, options.signal));
  };
}

function contentOf({ data, pagination }: SuccessEnvelope): unknown {
  return pagination === undefined ? data : { data, pagination };
}

/** The last argument of a method; its type says what is in it. */
function asOptions(value: unknown): CallOptions {
  return typeof value === 'object' && value !== null ? value : {};
}

function headersOf(method: string, { idempotencyKey, respondAsync }: CallOptions): Record<string, string> {
  return {
    ...(method === 'POST' ? { 'X-Idempotency-Key': idempotencyKey ?? randomUUID() } : {}),
    ...(respondAsync === true ? { Prefer: 'respond-async' } : {}),
  };
}

/** @throws TypeError for an id that is missing: without it, the path would be another one */
function fill(path: string, variable: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${path} needs a value for ${variable}`);
  return path.replace(variable, () => encodeURIComponent(value));
}

function queryString(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.flatMap(([name, value]) => parametersOf(name, value))).toString();
  return text === '' ? '' : `?${text}`;
}

/** An object, such as metadata, is one parameter for each of its members: `metadata[key]=value`. */
function parametersOf(name: string, value: unknown): [string, string][] {
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, member]) => [`${name}[${key}]`, String(member)]);
}

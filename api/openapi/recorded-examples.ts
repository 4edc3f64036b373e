import type { oas31 } from 'zod-openapi';
import recorded from './recorded-examples.json' with { type: 'json' };

/** A request of an operation and its response, as they were exchanged with a running engine. */
export interface Exchange {
  readonly summary: string;
  readonly request: {
    /** With its query. */
    readonly path: string;
    readonly body?: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** By the name of the example. */
export type Exchanges = Readonly<Record<string, Exchange>>;

/** What `npm run record-examples` writes. */
export interface RecordedExamples {
  /** By operation. */
  readonly operations: Readonly<Record<string, Exchanges>>;
  /** The response to a request that fails, by error code. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** An event as it was posted to a webhook endpoint, by its type. */
  readonly webhooks: Readonly<Record<string, unknown>>;
}

export const RECORDED_EXAMPLES: RecordedExamples = recorded;

/** A body with invalid values is not an example of a valid one. */
const INVALID_VALUES = 422;

/** The bodies of the requests, but for those that were refused as invalid. */
export function requestExamples(exchanges: Exchanges): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(exchanges)
      .filter(([, { request, response }]) => request.body !== undefined && response.status !== INVALID_VALUES)
      .map(([name, { summary, request }]) => [name, { summary, value: request.body }]),
  );
}

/** The responses with that status. Each has the name of its request. */
export function responseExamples(exchanges: Exchanges, status: number): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(exchanges)
      .filter(([, { response }]) => response.status === status)
      .map(([name, { summary, response }]) => [name, { summary, value: response.body }]),
  );
}

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

/** What `npm run record-examples` writes. */
export interface RecordedExamples {
  /** By operation, then by the name of the example. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, Exchange>>>>;
  /** The response to a request that fails, by error code. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** An event as it was posted to a webhook endpoint, by its type. */
  readonly webhooks: Readonly<Record<string, unknown>>;
}

export const RECORDED_EXAMPLES: RecordedExamples = recorded;

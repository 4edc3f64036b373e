import type { IncomingHttpHeaders } from 'node:http';

/** How the client of a scenario is made; `baseUrl` is added. */
export interface ClientSettings {
  readonly apiKey: string;
  readonly secretSalt: string;
  readonly merchantId?: string;
  readonly signatureVersion?: 1 | 2;
  readonly timeoutMs?: number;
}

/** The operations that a driver has to know, by their ids in the OpenAPI document. */
type DrivenOperation =
  | 'createPaymentIntent'
  | 'confirmPaymentIntent'
  | 'getPaymentIntent'
  | 'updatePaymentIntent'
  | 'listPaymentIntents'
  | 'createRefund'
  | 'suspendMerchantAccount';

/** One call of a method of the client. */
export interface Call {
  readonly operation: DrivenOperation;
  /** The variable parts of the path, in its order. */
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly options?: {
    readonly idempotencyKey?: string;
    readonly merchantId?: string;
    readonly respondAsync?: boolean;
  };
  /** Reads everything on the list, page by page, instead of one page. */
  readonly iterate?: true;
}

/** An answer of the scripted server. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset after the request was read. */
  | 'reset'
  /** Half a body, then the connection closes. */
  | 'truncated'
  /** The head of an answer, then nothing. */
  | 'silent';

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a driver prints about a call. */
export type Outcome =
  | { readonly kind: 'result'; readonly data: unknown }
  | { readonly kind: 'items'; readonly ids: readonly string[] }
  | {
      readonly kind: 'engine_error';
      readonly code: string;
      readonly status: number;
      readonly requestId: string | null;
      readonly paymentIntentId: string | null;
    }
  | { readonly kind: 'connection_error' }
  /** Refused before anything is sent. */
  | { readonly kind: 'usage_error' };

export interface Scenario {
  readonly title: string;
  readonly client?: Partial<ClientSettings>;
  readonly call: Call;
  readonly answers: readonly Answer[];
  readonly outcome: Outcome;
  /** What the client waited between its tries, in milliseconds. */
  readonly pausesMs?: readonly number[];
  /** Judges what this scenario is about; all requests are judged by `judgeRequests` besides. @throws AssertionError */
  readonly judge?: (received: readonly ReceivedRequest[]) => void;
}

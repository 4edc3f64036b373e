/** Operations that clients request. */
export type Operation = 'create' | 'confirm' | 'capture' | 'cancel' | 'patch' | 'get' | 'refund';

/** One request of a client and its answer. */
export interface ClientTry {
  readonly client: string;
  readonly operation: Operation;
  /** Null before the client knows it. */
  readonly intentId: string | null;
  /** Null if the operation has none. */
  readonly idempotencyKey: string | null;
  /** Whether the confirm, or the creation, carries a payment method to be charged at once. */
  readonly confirms: boolean;
  /** ISO 8601 UTC. */
  readonly sentAt: string;
  readonly tookMs: number;
  /** Null if there was no answer. */
  readonly answer: ClientAnswer | null;
}

/** The parts of an answer that checks compare with the system. */
export interface ClientAnswer {
  readonly status: number;
  /** The error code; null for a success. */
  readonly code: string | null;
  /** Whether an earlier request with the key was still running. */
  readonly isInFlight: boolean;
  /** The intent in the answer. */
  readonly intentId: string | null;
  readonly intentStatus: string | null;
  readonly refundId: string | null;
  readonly refundStatus: string | null;
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Whether the answer states the outcome of the request; otherwise the client has to repeat it. */
export function isDefinite(answer: ClientAnswer | null): answer is ClientAnswer {
  return answer !== null && answer.status < SERVER_ERROR && answer.status !== TOO_MANY_REQUESTS && !answer.isInFlight;
}

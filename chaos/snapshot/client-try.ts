/** Operations that clients request. */
export type Operation = 'create' | 'confirm' | 'capture' | 'cancel' | 'patch' | 'get' | 'refund';

/** One request of a client and what came of it. */
export interface ClientTry {
  readonly client: string;
  readonly operation: Operation;
  /** Null as long as the client does not know it. */
  readonly intentId: string | null;
  /** Null where the operation takes none. */
  readonly idempotencyKey: string | null;
  /** Whether the confirm, or the creation, carries a payment method to be charged at once. */
  readonly confirms: boolean;
  /** ISO 8601 UTC. */
  readonly sentAt: string;
  readonly tookMs: number;
  /** Null when no answer came. */
  readonly answer: ClientAnswer | null;
}

/** The parts of an answer that checks compare with the system. */
export interface ClientAnswer {
  readonly status: number;
  /** Of a failure. */
  readonly code: string | null;
  /** Whether an earlier request with the key was still running. */
  readonly isInFlight: boolean;
  /** The intent, or the refund, as the answer shows it. */
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

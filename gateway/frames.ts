import { z } from 'zod';
import { SOCKET_EVENT_NAMES } from '../domain/events.ts';
import { PAYMENT_STATUSES, isTerminal } from '../domain/payment-state.ts';
import type { EventRow } from './event-row.ts';

const subscribeSchema = z.strictObject({
  type: z.literal('subscribe'),
  clientSecret: z.string().min(1).max(255),
  /** The last event the client knows. */
  after: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .optional(),
});

/** A client's wish to watch one intent. */
export type SubscribeFrame = z.infer<typeof subscribeSchema>;

/** The first frame of a client, or null when it is not what a client may send. */
export function parseSubscribeFrame(text: string): SubscribeFrame | null {
  try {
    return subscribeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Answer to a subscription: the state at a moment after which no event is missed. */
export interface ReadyFrame {
  readonly type: 'ready';
  readonly status: string;
  readonly paymentIntentId: string;
  /** The newest event that the status contains; whoever resumes after it misses none. Null where none is kept. */
  readonly lastEventId: string | null;
}

/** Said before `ready` when events after the client's last one may be gone; `ready` tells what they led to. */
export interface CursorTooOldFrame {
  readonly type: 'error';
  readonly code: 'CURSOR_TOO_OLD';
  readonly message: string;
  readonly after: string;
}

export interface EventFrame {
  readonly event: string;
  readonly id: string;
  readonly sequence: number;
  readonly paymentIntentId: string;
  /** A code of the error catalogue; null where nothing failed. */
  readonly code: string | null;
  readonly message: string | null;
  readonly details: unknown;
  /** Whether nothing can follow any more. */
  readonly terminal: boolean;
  readonly createdAt: string;
}

export type ServerFrame = ReadyFrame | CursorTooOldFrame | EventFrame;

export function readyFrame(paymentIntentId: string, status: string, lastEventId: string | null): ReadyFrame {
  return { type: 'ready', status, paymentIntentId, lastEventId };
}

export function cursorTooOldFrame(after: string): CursorTooOldFrame {
  return {
    type: 'error',
    code: 'CURSOR_TOO_OLD',
    message: 'The event to resume after is not known or no longer kept; events may have been missed.',
    after,
  };
}

/** What a client is told of an event; null for events that are not for sockets. Never throws. */
export function eventFrame(row: EventRow): EventFrame | null {
  const event = socketNames.get(row.type);
  if (event === undefined || row.paymentIntentId === null) return null;
  const failure = failureSchema.safeParse(row.failure).data;
  const refund = refundSchema.safeParse(row.refund).data;
  return {
    event,
    id: row.id,
    sequence: row.sequence,
    paymentIntentId: row.paymentIntentId,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    details: refund === undefined ? (failure?.details ?? actionDetails(row)) : refundDetails(refund),
    // Only what was paid is given back, and a paid intent has ended.
    terminal: refund !== undefined || isTerminalState(row.status),
    createdAt: row.createdAt.toISOString(),
  };
}

const socketNames = new Map<string, string>(Object.entries(SOCKET_EVENT_NAMES));
const failureSchema = z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() });

const refundSchema = z.object({ id: z.string(), status: z.string(), amountMinor: z.number(), currency: z.string() });

function isTerminalState(state: string | null): boolean {
  return PAYMENT_STATUSES.some((status) => status === state && isTerminal(status));
}

function refundDetails({ id: refundId, status, amountMinor: amount, currency }: z.infer<typeof refundSchema>): object {
  return { refundId, status, amount, currency };
}

/** A page that waits for the customer has to know for what. */
function actionDetails(row: EventRow): unknown {
  return row.type === 'payment_intent.requires_action' && row.nextAction !== null
    ? { nextAction: row.nextAction }
    : null;
}

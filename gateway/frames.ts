import { z } from 'zod';
import { MERCHANT_SOCKET_EVENT_NAMES, SOCKET_EVENT_NAMES } from '../domain/events.ts';
import { isErrorCode } from '../domain/error-catalogue.ts';
import { parseJson } from '../domain/json.ts';
import { errorForPage } from '../domain/page-error.ts';
import { isTerminalState } from '../domain/payment-state.ts';
import type { SocketEvent } from '../prisma/queries/event.ts';

const resumeSchema = z.strictObject({
  type: z.literal('subscribe'),
  /** The last event the client knows. */
  after: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .optional(),
});
const subscribeSchema = resumeSchema.extend({ clientSecret: z.string().min(1).max(255) });

/** A page's subscription to one intent. */
export type IntentSubscribeFrame = z.infer<typeof subscribeSchema>;

/** A merchant's subscription to its account, optionally from a cursor. */
export type AccountSubscribeFrame = z.infer<typeof resumeSchema>;

/** The first frame of a page, or null when it is not what a page may send. */
export function parseSubscribeFrame(text: string): IntentSubscribeFrame | null {
  return parseFrame(subscribeSchema, text);
}

/** The first frame of a merchant, whose secrets were in the request; null when it is not what a merchant may send. */
export function parseResumeFrame(text: string): AccountSubscribeFrame | null {
  return parseFrame(resumeSchema, text);
}

function parseFrame<Frame>(schema: z.ZodType<Frame>, text: string): Frame | null {
  return schema.safeParse(parseJson(text)).data ?? null;
}

/** Reply to a subscription: the state at a moment after which no event is missed. */
export interface ReadyFrame {
  readonly type: 'ready';
  readonly status: string;
  readonly paymentIntentId: string;
  /** The newest event that the status includes, to resume after. Null where none is stored. */
  readonly lastEventId: string | null;
}

/** The same for a merchant account, whose state is `active`: others are not served. */
export interface AccountReadyFrame {
  readonly type: 'ready';
  readonly status: string;
  readonly merchantId: string;
  /** The event after which the following ones begin; null where none is stored. */
  readonly lastEventId: string | null;
}

/** Sent before `ready` when events after the client's cursor may have been purged; `ready` has the resulting state. */
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
  /** Null on events about no payment, which only merchants get. */
  readonly paymentIntentId: string | null;
  /** A code of the error catalogue; null where nothing failed. */
  readonly code: string | null;
  readonly message: string | null;
  readonly details: unknown;
  /** Whether nothing can follow any more. */
  readonly terminal: boolean;
  readonly createdAt: string;
}

export type ServerFrame = ReadyFrame | AccountReadyFrame | CursorTooOldFrame | EventFrame;

export function readyFrame(paymentIntentId: string, status: string, lastEventId: string | null): ReadyFrame {
  return { type: 'ready', status, paymentIntentId, lastEventId };
}

export function accountReadyFrame(merchantId: string, status: string, lastEventId: string | null): AccountReadyFrame {
  return { type: 'ready', status, merchantId, lastEventId };
}

export function cursorTooOldFrame(after: string): CursorTooOldFrame {
  return {
    type: 'error',
    code: 'CURSOR_TOO_OLD',
    message: 'The event to resume after is not known or no longer kept; events may have been missed.',
    after,
  };
}

/** The frame of an event for pages; null for events that pages do not get. Never throws. */
export function eventFrame(row: SocketEvent): EventFrame | null {
  const event = pageNames.get(row.type);
  if (event === undefined || row.paymentIntentId === null) return null;
  return frameOf(row, event, failureForPage(failureOf(row)));
}

/** The frame of an event for merchants; null for unknown types. Never throws. */
export function merchantEventFrame(row: SocketEvent): EventFrame | null {
  const event = merchantNames.get(row.type);
  if (event === undefined) return null;
  const member = resourceMembers.get(row.type);
  const frame = frameOf(row, event, failureOf(row));
  if (row.strayCharge != null) return { ...frame, details: row.strayCharge };
  return member === undefined ? frame : { ...frame, details: { [member]: row.resourceId } };
}

type Failure = z.infer<typeof failureSchema>;

function failureOf({ failure }: SocketEvent): Failure | undefined {
  return failureSchema.safeParse(failure).data;
}

function failureForPage(failure: Failure | undefined): Failure | undefined {
  if (failure === undefined) return undefined;
  const { code, message, details } = failure;
  return isErrorCode(code) ? errorForPage({ code, message, details }) : { code, message };
}

function frameOf(row: SocketEvent, event: string, failure: Failure | undefined): EventFrame {
  const refund = refundSchema.safeParse(row.refund).data;
  return {
    event,
    id: row.id,
    sequence: row.sequence,
    paymentIntentId: row.paymentIntentId,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    details: refund === undefined ? (failure?.details ?? actionDetails(row)) : refundDetails(refund),
    // Only captured money is refunded, and a captured intent has ended.
    terminal: refund !== undefined || isTerminalState(row.status),
    createdAt: row.createdAt.toISOString(),
  };
}

const pageNames = new Map<string, string>(Object.entries(SOCKET_EVENT_NAMES));
const merchantNames = new Map<string, string>(Object.entries(MERCHANT_SOCKET_EVENT_NAMES));
/** The name of the resource in the details of events that are about neither a payment nor a refund. */
const resourceMembers = new Map([
  ['transaction.created', 'transactionId'],
  ['provider_account.credentials_refused', 'providerAccountId'],
  ['provider_account.credentials_accepted', 'providerAccountId'],
  ['reconciliation.difference_found', 'reconciliationDifferenceId'],
  ['card_testing.suspected', 'cardTestingId'],
  ['webhook_endpoint.failing', 'webhookEndpointId'],
  ['webhook_endpoint.recovered', 'webhookEndpointId'],
  ['webhook_endpoint.disabled', 'webhookEndpointId'],
  ['webhook_endpoint.test', 'webhookEndpointId'],
]);
const failureSchema = z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() });

const refundSchema = z.object({ id: z.string(), status: z.string(), amountMinor: z.number(), currency: z.string() });

function refundDetails({ id: refundId, status, amountMinor: amount, currency }: z.infer<typeof refundSchema>): object {
  return { refundId, status, amount, currency };
}

/** A page that waits for the customer has to know what the customer must do. */
function actionDetails(row: SocketEvent): unknown {
  return row.type === 'payment_intent.requires_action' && row.nextAction !== null
    ? { nextAction: row.nextAction }
    : null;
}

import { ofAccount, withValues } from '../fragments/conditions.ts';
import { purgedThrough } from '../fragments/event-horizon.ts';
import { Prisma } from '../generated/client.ts';
import {
  double,
  integer,
  nullable,
  returning,
  type Statement,
  text,
  timestamp,
  unknownJson,
} from '../connection/statement.ts';
import type { ListedRows } from './list.ts';

/** Numbers the next events, see the function in the migrations. */
export function numberEvents(batchSize: number) {
  return returning({ numbered: integer })`SELECT sequence_events(${batchSize}::int) AS numbered`;
}

/** A numbered event with the parts of its snapshot that a frame has. */
export interface SocketEvent {
  readonly id: string;
  readonly type: string;
  /** The id of the resource that the event is about. */
  readonly resourceId: string;
  readonly paymentIntentId: string | null;
  readonly merchantAccountId: string;
  /** Order over all accounts. */
  readonly position: number;
  /** Order within the merchant account. */
  readonly sequence: number;
  /** Order of insertion; within one intent it is the order of the events, even before they are numbered. */
  readonly insertion: number;
  readonly failure: unknown;
  /** The intent's state after the event; null where the event is not about it. */
  readonly status: string | null;
  readonly nextAction: unknown;
  /** What the event says of a refund; its members are null where it is about none. */
  readonly refund: unknown;
  /** What the event says of a stray charge; null where it is about none. */
  readonly strayCharge: unknown;
  readonly createdAt: Date;
}

const SOCKET_EVENT = returning<SocketEvent>({
  id: text,
  type: text,
  resourceId: text,
  paymentIntentId: nullable(text),
  merchantAccountId: text,
  position: double,
  sequence: double,
  insertion: double,
  failure: unknownJson,
  status: nullable(text),
  nextAction: unknownJson,
  refund: unknownJson,
  strayCharge: unknownJson,
  createdAt: timestamp,
})`
  id, type, resource_id AS "resourceId", payment_intent_id AS "paymentIntentId",
  merchant_account_id AS "merchantAccountId", position::float8 AS position, sequence::float8 AS sequence,
  insertion::float8 AS insertion, failure, snapshot->'intent'->>'status' AS status,
  snapshot->'intent'->'next_action' AS "nextAction", jsonb_build_object('id', snapshot->'refund'->'id',
    'status', snapshot->'refund'->'status', 'amountMinor', snapshot->'refund'->'amount_minor',
    'currency', snapshot->'refund'->'currency') AS refund, snapshot->'strayCharge' AS "strayCharge",
  created_at AS "createdAt"`;

/** Events of all accounts after a position, in its order. */
export function selectEventsAfter(position: number, limit: number): Statement<SocketEvent> {
  return returning(SOCKET_EVENT.columns)`
    SELECT ${SOCKET_EVENT.sql} FROM event WHERE position > ${position}::bigint ORDER BY event.position LIMIT ${limit}`;
}

/** The last position assigned, from the counter rather than the newest row, which may have been purged; the id is null then. */
export function selectLastPosition() {
  return returning({ position: double, id: nullable(text) })`
    SELECT last.position::float8 AS position, event.id
    FROM (SELECT coalesce(max(last_value), 0) AS position FROM event_counter WHERE scope = '*') last
    LEFT JOIN event ON event.position = last.position`;
}

export interface AccountEventsAfter {
  readonly merchantAccountId: string;
  readonly sequence: number;
  readonly limit: number;
}

/** Events of an account after a sequence, in its order. */
export function selectAccountEvents({
  merchantAccountId,
  sequence,
  limit,
}: AccountEventsAfter): Statement<SocketEvent> {
  return returning(SOCKET_EVENT.columns)`
    SELECT ${SOCKET_EVENT.sql} FROM event
    WHERE ${ofAccount({ merchantAccountId })} AND sequence > ${sequence}::bigint
    ORDER BY event.sequence LIMIT ${limit}`;
}

export interface IntentEventsAfter {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly insertion: number;
  readonly position: number;
  readonly limit: number;
}

/**
 * Events of an intent after an insertion and a position, in the order of `position`. They are few, so they are sorted: by the column
 * itself PostgreSQL might read the index of all positions instead.
 */
export function selectIntentEvents(after: IntentEventsAfter): Statement<SocketEvent> {
  return returning(SOCKET_EVENT.columns)`
    SELECT ${SOCKET_EVENT.sql} FROM event
    WHERE payment_intent_id = ${after.paymentIntentId} AND ${ofAccount(after)}
      AND position > ${after.position}::bigint AND insertion > ${after.insertion}::bigint
    ORDER BY event.position::float8 LIMIT ${after.limit}`;
}

/** The status of an account or intent, and where a client that subscribes to its events goes on. */
export interface SubscriptionState {
  readonly status: string;
  /** The number of the event that the client names; null when it is unknown, or events after it were purged. */
  readonly cursor: number | null;
  /** The last number assigned. */
  readonly newest: number;
  /** The id of the newest event in the table. */
  readonly newestId: string | null;
}

const SUBSCRIPTION_STATE = { status: text, cursor: nullable(double), newest: double, newestId: nullable(text) };

/** The state of an account; the number of an event is its sequence. @param after the id of the event that the client names */
export function selectAccountState(merchantAccountId: string, after: string | null): Statement<SubscriptionState> {
  return returning<SubscriptionState>(SUBSCRIPTION_STATE)`
    SELECT status, coalesce((SELECT last_value FROM event_counter WHERE scope = account.id), 0)::float8 AS newest, (
      SELECT id FROM event WHERE merchant_account_id = account.id AND sequence IS NOT NULL
      ORDER BY sequence DESC LIMIT 1
    ) AS "newestId", (
      SELECT sequence FROM event
      WHERE event.id = ${after} AND merchant_account_id = account.id
        AND sequence >= ${purgedThrough(Prisma.sql`account.id`)}
    )::float8 AS cursor
    FROM merchant_account account WHERE account.id = ${merchantAccountId}`;
}

/**
 * The state of an account's intent and its newest event, which led to the state: one statement, so that they are of one moment. The number
 * of an event is its insertion, which it has before its position. @param after the id of the event that the client names
 */
export function selectIntentState(
  { paymentIntentId, merchantAccountId }: { readonly paymentIntentId: string; readonly merchantAccountId: string },
  after: string | null,
): Statement<SubscriptionState> {
  return returning<SubscriptionState>(SUBSCRIPTION_STATE)`
    SELECT payment_intent.status, coalesce(newest.insertion, 0)::float8 AS newest, newest.id AS "newestId", (
      SELECT insertion FROM event
      WHERE event.id = ${after} AND payment_intent_id = payment_intent.id
        AND (sequence IS NULL OR sequence >= ${purgedThrough(Prisma.sql`payment_intent.merchant_account_id`)})
    )::float8 AS cursor
    FROM payment_intent
    LEFT JOIN LATERAL (
      SELECT id, insertion FROM event WHERE payment_intent_id = payment_intent.id ORDER BY insertion DESC LIMIT 1
    ) newest ON true
    WHERE payment_intent.id = ${paymentIntentId} AND ${ofAccount({ merchantAccountId })}`;
}

/** Only numbered events are shown: one without a number may still be ordered before another. */
const IS_NUMBERED = Prisma.sql`sequence IS NOT NULL`;

export interface AccountEvents {
  readonly merchantAccountId: string;
  /** Later events, oldest first; null for no such limit, and newest first. */
  readonly afterSequence: number | null;
  /** Earlier events; null for no such limit. */
  readonly beforeSequence: number | null;
  readonly type: string | undefined;
  readonly resourceId: string | undefined;
}

/** The list of an account's events. */
export function accountEvents({
  merchantAccountId,
  afterSequence,
  beforeSequence,
  type,
  resourceId,
}: AccountEvents): ListedRows {
  const place = [
    ...(afterSequence === null ? [] : [Prisma.sql`sequence > ${afterSequence}::bigint`]),
    ...(beforeSequence === null ? [] : [Prisma.sql`sequence < ${beforeSequence}::bigint`]),
  ];
  const account = ofAccount({ merchantAccountId });
  return {
    table: 'event',
    scope: [account],
    conditions: [
      account,
      ...(place.length === 0 ? [IS_NUMBERED] : place),
      ...withValues({ type, resource_id: resourceId }),
    ],
    order: {
      key: ['merchant_account_id', 'sequence'],
      by: ['sequence'],
      direction: afterSequence === null ? 'DESC' : 'ASC',
    },
  };
}

/**
 * The sequence of one of an account's events, if nothing after it was purged. An event that has no sequence yet comes after all that
 * have one.
 */
export function selectSequence(id: string, merchantAccountId: string) {
  return returning({ sequence: double })`
    SELECT coalesce(sequence, ${Number.MAX_SAFE_INTEGER}::bigint)::float8 AS sequence FROM event
    WHERE id = ${id} AND ${ofAccount({ merchantAccountId })}
      AND coalesce(sequence >= ${purgedThrough(Prisma.sql`merchant_account_id`)}, true)`;
}

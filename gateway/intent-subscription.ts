import { createHash } from 'node:crypto';
import type { Database } from '../prisma/client.ts';
import { purgedThrough } from '../prisma/event-horizon.ts';
import { Prisma } from '../prisma/generated/client.ts';
import type { Connection } from './connection.ts';
import { EVENT_COLUMNS, type EventRow } from './event-row.ts';
import type { EventTail } from './event-tail.ts';
import type { FanOut } from './subscription.ts';
import { cursorTooOldFrame, eventFrame, readyFrame, type IntentSubscribeFrame } from './frames.ts';
import type { GatewayLimits } from './limits.ts';
import { waitForStart } from './event-tail.ts';
import { createSubscription, type Subscription } from './subscription.ts';

export interface SubscribeDependencies {
  readonly database: Database;
  readonly tail: Pick<EventTail, 'started'>;
  readonly fanOut: FanOut;
  readonly limits: GatewayLimits;
}

const REPLAY_PAGE_SIZE = 200;

/**
 * Subscribes a page to one intent. Live events are collected first; then the state is read and sent (`ready`), then
 * the events after the client's cursor, then the collected ones: nothing in between is missed, nothing comes twice.
 *
 * Without a cursor only events follow that are newer than the state. A cursor that is unknown, of another intent, or
 * purged, or followed by purged events, gets an error frame (`CURSOR_TOO_OLD`) before `ready`; the subscription then
 * continues as one without a cursor, because `ready` has the state anyway.
 * @returns whether there is an intent with that client secret
 * @throws when the database is unavailable
 */
export async function subscribeToIntent(
  { database, tail, fanOut, limits }: SubscribeDependencies,
  connection: Connection,
  { clientSecret, after }: IntentSubscribeFrame,
): Promise<boolean> {
  const paymentIntentId = await findIntent(database, clientSecret);
  if (paymentIntentId === null) return false;
  await waitForStart(tail);
  if (!connection.isOpen) return true;

  const subscription = createSubscription({
    send: (event) => sendEvent(connection, event),
    overflow: () => connection.close('tooSlow'),
    maximumWaitingEvents: limits.maximumWaitingEvents,
  });
  if (!fanOut.add(paymentIntentId, subscription, limits.maximumSubscribersPerIntent)) {
    connection.close('tryAgainLater');
    return true;
  }
  connection.onClosed(() => fanOut.remove(paymentIntentId, subscription));

  const { status, cursor, newest, newestId } = await readIntentState(database, paymentIntentId, after);
  const known = cursor ?? newest;
  subscription.skip(({ insertion }) => insertion <= known);
  if (after !== undefined && cursor === null) connection.send(cursorTooOldFrame(after));
  connection.send(readyFrame(paymentIntentId, status, newestId));
  if (cursor !== null) await replay(database, connection, subscription, paymentIntentId, cursor);
  subscription.goLive();
  return true;
}

async function findIntent(database: Database, clientSecret: string): Promise<string | null> {
  const clientSecretHash = createHash('sha256').update(clientSecret).digest('hex');
  const intent = await database.paymentIntent.findUnique({ select: { id: true }, where: { clientSecretHash } });
  return intent?.id ?? null;
}

interface IntentState {
  readonly status: string;
  /** Insertion number of the event that the client names (an event has it before its position); null when it is unknown. */
  readonly cursor: number | null;
  /** Insertion of the intent's newest event: what led to the status, numbered or not, and is not to follow it. */
  readonly newest: number;
  /** Its id. */
  readonly newestId: string | null;
}

/** One statement, so that state and events are of one moment. */
async function readIntentState(
  database: Database,
  paymentIntentId: string,
  after: string | undefined,
): Promise<IntentState> {
  const [state] = await database.direct.query<IntentState[]>`
    SELECT payment_intent.status, coalesce(newest.insertion, 0)::float8 AS newest, newest.id AS "newestId", (
      SELECT insertion FROM event
      WHERE event.id = ${after ?? null} AND payment_intent_id = payment_intent.id
        AND (sequence IS NULL OR sequence >= ${purgedThrough(Prisma.sql`payment_intent.merchant_account_id`)})
    )::float8 AS cursor
    FROM payment_intent
    LEFT JOIN LATERAL (
      SELECT id, insertion FROM event WHERE payment_intent_id = payment_intent.id ORDER BY insertion DESC LIMIT 1
    ) newest ON true
    WHERE payment_intent.id = ${paymentIntentId}`;
  if (state === undefined) throw new Error(`${paymentIntentId} was deleted`);
  return state;
}

async function replay(
  database: Database,
  connection: Connection,
  subscription: Subscription,
  paymentIntentId: string,
  cursor: number,
): Promise<void> {
  let position = 0;
  let page: EventRow[];
  do {
    page = await readPage(database, paymentIntentId, cursor, position);
    page.forEach(subscription.replay);
    position = page.at(-1)?.position ?? position;
  } while (page.length === REPLAY_PAGE_SIZE && connection.isOpen);
}

function readPage(
  database: Database,
  paymentIntentId: string,
  afterInsertion: number,
  afterPosition: number,
): Promise<EventRow[]> {
  return database.direct.query<EventRow[]>`
    SELECT ${Prisma.raw(EVENT_COLUMNS)} FROM event
    WHERE payment_intent_id = ${paymentIntentId}
      AND position > ${BigInt(afterPosition)} AND insertion > ${BigInt(afterInsertion)}
    ORDER BY position LIMIT ${REPLAY_PAGE_SIZE}`;
}

function sendEvent(connection: Connection, event: EventRow): void {
  const frame = eventFrame(event);
  if (frame !== null) connection.send(frame);
}

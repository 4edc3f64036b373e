import { isTerminalState } from '../domain/payment-state.ts';
import type { Database } from '../prisma/connection/client.ts';
import {
  type IntentEventsAfter,
  selectIntentEvents,
  selectIntentState,
  type SocketEvent,
} from '../prisma/queries/event.ts';
import type { Connection } from './connection.ts';
import { type EventTail, waitForStart } from './event-tail.ts';
import { cursorTooOldFrame, eventFrame, type IntentSubscribeFrame, readyFrame } from './frames.ts';
import { limitAccess, type PagePrincipal } from './page-authentication.ts';
import type { GatewayLimits } from './limits.ts';
import type { Turns } from '../http/turns.ts';
import { createSubscription, type FanOut, type Subscription } from './subscription.ts';

export interface SubscribeDependencies {
  readonly database: Database;
  readonly tail: Pick<EventTail, 'started'>;
  readonly fanOut: FanOut;
  readonly limits: GatewayLimits;
  /** The turns in which accounts get pages of the events that they missed. */
  readonly replays: Turns;
}

const REPLAY_PAGE_SIZE = 200;

/**
 * Subscribes a page to one intent. Live events are collected first; then the state is read and sent (`ready`), then the events
 * after the client's cursor, then the collected ones: nothing in between is missed, nothing comes twice.
 *
 * Without a cursor, only events that are newer than the state follow. A cursor that is unknown, of another intent, or purged, or
 * followed by purged events, gets an error frame (`CURSOR_TOO_OLD`) before `ready`; the subscription then continues as one
 * without a cursor, because `ready` has the state anyway.
 * @throws when the database is unavailable
 */
export async function subscribeToIntent(
  { database, tail, fanOut, limits }: SubscribeDependencies,
  connection: Connection,
  page: PagePrincipal,
  { after }: Pick<IntentSubscribeFrame, 'after'>,
): Promise<void> {
  const { paymentIntentId, merchantAccountId } = page;
  await waitForStart(tail);
  if (!connection.isOpen) return;

  const subscription = createSubscription({
    send: (event) => sendEvent(connection, page, event),
    overflow: () => connection.close('tooSlow'),
    maximumWaitingEvents: limits.maximumWaitingEvents,
  });
  if (!fanOut.add(paymentIntentId, subscription, limits.maximumSubscribersPerIntent)) {
    return connection.close('tryAgainLater');
  }
  connection.onClosed(() => fanOut.remove(paymentIntentId, subscription));

  const state = await database.direct.row(selectIntentState(page, after ?? null));
  if (state === undefined) throw new Error(`${paymentIntentId} was deleted`);
  const { status, cursor, newest, newestId } = state;
  // The payment may have ended since the page was authenticated; then no event of its end follows.
  if (isTerminalState(status)) limitAccess(page, new Date());
  const known = cursor ?? newest;
  subscription.skip(({ insertion }) => insertion <= known);
  if (after !== undefined && cursor === null) connection.send(cursorTooOldFrame(after));
  connection.send(readyFrame(paymentIntentId, status, newestId));
  if (cursor !== null)
    await replay(database, connection, subscription, { paymentIntentId, merchantAccountId, insertion: cursor });
  subscription.goLive();
}

async function replay(
  database: Database,
  connection: Connection,
  subscription: Subscription,
  cursor: Omit<IntentEventsAfter, 'position' | 'limit'>,
): Promise<void> {
  let position = 0;
  let page: SocketEvent[];
  do {
    page = await database.direct.rows(selectIntentEvents({ ...cursor, position, limit: REPLAY_PAGE_SIZE }));
    page.forEach(subscription.replay);
    position = page.at(-1)?.position ?? position;
  } while (page.length === REPLAY_PAGE_SIZE && connection.isOpen);
}

function sendEvent(connection: Connection, page: PagePrincipal, event: SocketEvent): void {
  const frame = eventFrame(event);
  if (frame === null) return;
  if (frame.terminal) limitAccess(page, event.createdAt);
  connection.send(frame);
}

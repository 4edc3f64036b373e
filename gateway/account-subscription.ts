import { setImmediate as others } from 'node:timers/promises';
import { workInTurn } from '../http/turns.ts';
import { selectAccountEvents, selectAccountState, type SocketEvent } from '../prisma/queries/event.ts';
import type { Connection } from './connection.ts';
import { accountReadyFrame, cursorTooOldFrame, merchantEventFrame, type AccountSubscribeFrame } from './frames.ts';
import { waitForStart } from './event-tail.ts';
import { createSubscription } from './subscription.ts';
import type { SubscribeDependencies } from './intent-subscription.ts';

const REPLAY_PAGE_SIZE = 200;
/** Events that are sent before the process does what else it has to do. */
const SENT_AT_ONCE = 20;

/**
 * Subscribes a merchant to all events of its account, which come in the order of their `sequence`, without a gap. Missed events
 * are sent no faster than the client reads, because there may be many, and in turns with those of other accounts. Then live events are collected, and the events of the
 * meantime are read from the database.
 *
 * A cursor that is unknown, of another account, or purged, or followed by purged events, gets an error frame (`CURSOR_TOO_OLD`)
 * before `ready`; the subscription then starts from now.
 * @throws when the database is unavailable
 */
export async function subscribeToAccount(
  dependencies: SubscribeDependencies,
  connection: Connection,
  merchantAccountId: string,
  { after }: AccountSubscribeFrame,
): Promise<void> {
  const { database, tail, fanOut, limits } = dependencies;
  await waitForStart(tail);
  const state = await database.direct.row(selectAccountState(merchantAccountId, after ?? null));
  if (state === undefined) throw new Error(`${merchantAccountId} was deleted`);
  const { status, cursor, newest, newestId } = state;
  if (after !== undefined && cursor === null) connection.send(cursorTooOldFrame(after));
  connection.send(accountReadyFrame(merchantAccountId, status, cursor === null ? newestId : (after ?? null)));

  const subscription = createSubscription({
    send: (event) => sendEvent(connection, event),
    overflow: () => connection.close('tooSlow'),
    maximumWaitingEvents: limits.maximumWaitingEvents,
  });
  let known = cursor ?? newest;
  const catchUp = async (): Promise<void> => {
    let page: SocketEvent[];
    do {
      page = await readInTurn(dependencies, merchantAccountId, known);
      for (const [index, event] of page.entries()) {
        subscription.replay(event);
        known = event.sequence;
        await connection.flushed();
        if (index % SENT_AT_ONCE === SENT_AT_ONCE - 1) await others();
      }
    } while (page.length === REPLAY_PAGE_SIZE && connection.isOpen);
  };

  await catchUp();
  if (!connection.isOpen) return;
  if (!fanOut.add(merchantAccountId, subscription, limits.maximumSubscribersPerAccount)) {
    return connection.close('tryAgainLater');
  }
  connection.onClosed(() => fanOut.remove(merchantAccountId, subscription));
  await catchUp();
  subscription.skip(({ sequence }) => sequence <= known);
  subscription.goLive();
}

/** Reads a page of an account's events after a sequence, when it is the account's turn. */
function readInTurn(
  { database, replays, limits }: SubscribeDependencies,
  merchantAccountId: string,
  sequence: number,
): Promise<SocketEvent[]> {
  const turn = { merchant: merchantAccountId, atLeastMs: limits.replayTurnMs };
  const page = selectAccountEvents({ merchantAccountId, sequence, limit: REPLAY_PAGE_SIZE });
  return workInTurn(replays, turn, () => database.direct.rows(page));
}

function sendEvent(connection: Connection, event: SocketEvent): void {
  const frame = merchantEventFrame(event);
  if (frame !== null) connection.send(frame);
}

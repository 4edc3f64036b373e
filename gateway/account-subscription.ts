import type { Database } from '../prisma/client.ts';
import { purgedThrough } from '../prisma/event-horizon.ts';
import { Prisma } from '../prisma/generated/client.ts';
import type { Connection } from './connection.ts';
import { EVENT_COLUMNS, type EventRow } from './event-row.ts';
import { accountReadyFrame, cursorTooOldFrame, merchantEventFrame, type AccountSubscribeFrame } from './frames.ts';
import { waitForStart } from './event-tail.ts';
import { createSubscription } from './subscription.ts';
import type { SubscribeDependencies } from './intent-subscription.ts';

const REPLAY_PAGE_SIZE = 200;

/**
 * Subscribes a merchant to all events of its account, which come in the order of their `sequence`, without a gap.
 * Missed events are sent no faster than the client reads, for there may be many; only then are live events collected,
 * and what was written meanwhile is read from the database again.
 *
 * A cursor that is unknown, of another account, or purged, or followed by purged events, gets an error frame
 * (`CURSOR_TOO_OLD`) before `ready`; the subscription then starts from now.
 * @throws when the database is unavailable
 */
export async function subscribeToAccount(
  { database, tail, fanOut, limits }: SubscribeDependencies,
  connection: Connection,
  merchantAccountId: string,
  { after }: AccountSubscribeFrame,
): Promise<void> {
  await waitForStart(tail);
  const { status, cursor, newest, newestId } = await readAccountState(database, merchantAccountId, after);
  if (after !== undefined && cursor === null) connection.send(cursorTooOldFrame(after));
  connection.send(accountReadyFrame(merchantAccountId, status, cursor === null ? newestId : (after ?? null)));

  const subscription = createSubscription({
    send: (event) => sendEvent(connection, event),
    overflow: () => connection.close('tooSlow'),
    maximumWaitingEvents: limits.maximumWaitingEvents,
  });
  let known = cursor ?? newest;
  const catchUp = async (): Promise<void> => {
    let page: EventRow[];
    do {
      page = await readPage(database, merchantAccountId, known);
      for (const event of page) {
        subscription.replay(event);
        known = event.sequence;
        await connection.flushed();
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

interface AccountState {
  readonly status: string;
  /** Sequence of the event that the client names; null when it is unknown, or events after it were purged. */
  readonly cursor: number | null;
  /** The last sequence assigned, purged or not. */
  readonly newest: number;
  /** The id of the newest event in the table. */
  readonly newestId: string | null;
}

async function readAccountState(
  database: Database,
  merchantAccountId: string,
  after: string | undefined,
): Promise<AccountState> {
  const [state] = await database.direct.query<AccountState[]>`
    SELECT status, coalesce((SELECT last_value FROM event_counter WHERE scope = account.id), 0)::float8 AS newest, (
      SELECT id FROM event WHERE merchant_account_id = account.id AND sequence IS NOT NULL
      ORDER BY sequence DESC LIMIT 1
    ) AS "newestId", (
      SELECT sequence FROM event
      WHERE event.id = ${after ?? null} AND merchant_account_id = account.id
        AND sequence >= ${purgedThrough(Prisma.sql`account.id`)}
    )::float8 AS cursor
    FROM merchant_account account WHERE account.id = ${merchantAccountId}`;
  if (state === undefined) throw new Error(`${merchantAccountId} was deleted`);
  return state;
}

function readPage(database: Database, merchantAccountId: string, afterSequence: number): Promise<EventRow[]> {
  return database.direct.query<EventRow[]>`
    SELECT ${Prisma.raw(EVENT_COLUMNS)} FROM event
    WHERE merchant_account_id = ${merchantAccountId} AND sequence > ${BigInt(afterSequence)}
    ORDER BY sequence LIMIT ${REPLAY_PAGE_SIZE}`;
}

function sendEvent(connection: Connection, event: EventRow): void {
  const frame = merchantEventFrame(event);
  if (frame !== null) connection.send(frame);
}

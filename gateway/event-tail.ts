import pg from 'pg';
import type { Logger } from 'pino';
import { backoffMs, isLoggedFailure } from '../domain/backoff.ts';
import { SECOND_MS } from '../domain/time.ts';
import { SESSION_SETTINGS } from '../prisma/connection/client.ts';
import { selectEventsAfter, selectLastPosition, type SocketEvent } from '../prisma/queries/event.ts';
import { assertRow, assertRows, type Columns, double, type Statement, text } from '../prisma/connection/statement.ts';
import { setTimeout as wait } from 'node:timers/promises';

export interface EventTailOptions {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Gets every numbered event once, in the order of `position`. */
  readonly onEvent: (event: SocketEvent) => void;
  /** Whether there are subscribers; without any, the tail moves on without reading events. */
  readonly hasSubscribers: () => boolean;
  /** Called where the database has lost events that were delivered: numbers are given again, so that subscribers must begin anew. */
  readonly onLost: () => void;
}

export interface EventTail {
  /** Settles once the tail has a position: a subscription that starts after that misses no event. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 250;
const BATCH_SIZE = 500;
const RECONNECT_BACKOFF = { shortestMs: 200, longestMs: 5 * SECOND_MS };
const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 5 * SECOND_MS,
  query_timeout: 5 * SECOND_MS,
  keepAlive: true,
};

/**
 * Follows the events of all accounts from now on, over a connection of its own. It polls the table; a notification
 * only makes the next poll come sooner. It replaces a lost connection and continues after the last event that it delivered, or
 * after the last one of a database that has lost events, as a standby may that was promoted.
 * An event that cannot be read or delivered is logged and skipped.
 */
export function startEventTail(options: EventTailOptions): EventTail {
  const wakeSignal = createWakeSignal();
  const stopping = new AbortController();
  let markStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const ended = follow(options, wakeSignal, stopping.signal, markStarted);
  return {
    started,
    async stop() {
      stopping.abort();
      wakeSignal.wake();
      await ended;
    },
  };
}

async function follow(
  options: EventTailOptions,
  wakeSignal: WakeSignal,
  signal: AbortSignal,
  markStarted: () => void,
): Promise<void> {
  const reader = createReader(options);
  let failures = 0;
  while (!signal.aborted) {
    try {
      await withConnection(options.databaseUrl, wakeSignal, async (client, assertConnected) => {
        await reader.resume(client);
        while (!signal.aborted) {
          assertConnected();
          const isFull = await reader.advance(client);
          markStarted();
          if (failures > 0) options.logger.info({ failures }, 'event tail connected again');
          failures = 0;
          if (!isFull) await wakeSignal.wait(POLL_EVERY_MS);
        }
      });
    } catch (error) {
      failures += 1;
      if (isLoggedFailure(failures)) options.logger.warn({ failures, err: error }, 'event tail lost its connection');
      if (!signal.aborted) await wakeSignal.wait(backoffMs(failures, RECONNECT_BACKOFF));
    }
  }
}

interface Reader {
  /** To be called first on each connection. */
  resume(client: pg.Client): Promise<void>;
  /** Delivers the next events; resolves to whether there are probably more. */
  advance(client: pg.Client): Promise<boolean>;
}

type EventPlace = Pick<SocketEvent, 'id' | 'position'>;

/** No row can fail the check of these columns. */
const PLACE: Columns<EventPlace> = { id: text, position: double };

/** How far events were read; the id is null where the event of that position is not known. */
interface Place {
  readonly position: number;
  readonly id: string | null;
}

function createReader({ onEvent, hasSubscribers, onLost, logger }: EventTailOptions): Reader {
  let last: Place | undefined;

  const readEnd = async (client: pg.Client): Promise<Place> => {
    const [row] = await read(client, selectLastPosition());
    return row ?? { position: 0, id: null };
  };

  const readPlaces = (client: pg.Client, after: number, limit: number): Promise<readonly EventPlace[]> =>
    read(client, { ...selectEventsAfter(after, limit), columns: PLACE });

  /** Whether the database does not have what was read: it ends before that, or has another event there. */
  const hasLost = async (client: pg.Client, { position, id }: Place, end: Place): Promise<boolean> => {
    if (end.position < position) return true;
    const [found] = await readPlaces(client, position - 1, 1);
    return id !== null && found?.position === position && found.id !== id;
  };

  const deliver = (row: EventPlace, columns: Columns<SocketEvent>): void => {
    try {
      const event: unknown = row;
      assertRow(event, columns);
      onEvent(event);
    } catch (error) {
      logger.error({ err: error, eventId: row.id }, 'event could not be delivered');
    }
  };

  return {
    async resume(client) {
      if (last === undefined) return;
      const end = await readEnd(client);
      if (!(await hasLost(client, last, end))) return;
      logger.warn({ last, end }, 'the database has lost events; sockets are closed, so that clients resume');
      last = end;
      onLost();
    },
    async advance(client) {
      if (last === undefined || !hasSubscribers()) {
        const end = await readEnd(client);
        // A subscriber that came during the query may have read the database before it, and needs the events in between.
        if (last === undefined || !hasSubscribers()) {
          last = end;
          return false;
        }
      }
      // The other columns are checked for each event by itself: one that fails must not hold back those after it.
      const { columns } = selectEventsAfter(last.position, BATCH_SIZE);
      const rows = await readPlaces(client, last.position, BATCH_SIZE);
      for (const row of rows) {
        last = row;
        deliver(row, columns);
      }
      return rows.length === BATCH_SIZE;
    },
  };
}

async function read<Row>(client: pg.Client, { sql, columns }: Statement<Row>): Promise<readonly Row[]> {
  const { rows } = await client.query<pg.QueryResultRow>(sql.text, sql.values);
  assertRows(rows, columns);
  return rows;
}

async function withConnection(
  connectionString: string,
  wakeSignal: WakeSignal,
  work: (client: pg.Client, assertConnected: () => void) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString, ...CONNECTION_LIMITS });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
    wakeSignal.wake();
  });
  client.on('notification', () => wakeSignal.wake());
  try {
    await client.connect();
    await client.query(`${SESSION_SETTINGS}; LISTEN events`);
    await work(client, () => {
      if (lost !== undefined) throw lost;
    });
    await client.end();
  } catch (error) {
    // Not awaited: a dead connection would not end either.
    void client.end().catch(() => undefined);
    throw error;
  }
}

/** A pause that can be cut short. */
export interface WakeSignal {
  /** Waits, unless `wake` was called since the last wait. */
  wait(milliseconds: number): Promise<void>;
  wake(): void;
}

export function createWakeSignal(): WakeSignal {
  let isSet = false;
  let wake: (() => void) | undefined;
  return {
    async wait(milliseconds) {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isSet = false;
      wake = undefined;
    },
    wake() {
      isSet = true;
      wake?.();
    },
  };
}

const TAIL_WITHIN_MS = 5 * SECOND_MS;

/** Waits until the tail has a position. @throws Error when it has none within 5 s */
export async function waitForStart(tail: Pick<EventTail, 'started'>): Promise<void> {
  const giveUp = new AbortController();
  const timeout = wait(TAIL_WITHIN_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error('the event tail has not started yet');
  });
  timeout.catch(() => undefined);
  await Promise.race([tail.started, timeout]).finally(() => giveUp.abort());
}

import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { type Client, type Event, PaymentEngineConnectionError, PaymentEngineError } from '../../sdk/server/index.ts';

/** Three commands that follow at once stay below the sandbox's 100 requests a minute. */
const POLL_EVERY_MS = 2 * SECOND_MS;
const PAGE_SIZE = 100;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

export interface FollowOptions {
  readonly client: Client;
  /** The last known event; undefined for an account that had none. */
  readonly after: string | undefined;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Called at each failure to reach the API; the following goes on. */
  readonly onOutage: (reason: string) => void;
}

/** The id of the account's newest event; undefined when there is none yet. */
export async function findNewestEvent(client: Client): Promise<string | undefined> {
  return (await client.events.list({ limit: 1 })).data[0]?.id;
}

/**
 * The events after a given one, in order and without gaps, as they come, until the signal.
 * @throws PaymentEngineError when the API refuses the request, for example because `after` is unknown
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Event, void, undefined> {
  const { signal } = options;
  let { after } = options;
  while (!signal.aborted) {
    const events = await readOn({ ...options, after });
    for (const event of events) {
      yield event;
      after = event.id;
    }
    if (events.length < PAGE_SIZE) await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readOn({ client, after, signal, onOutage }: FollowOptions): Promise<readonly Event[]> {
  try {
    if (after !== undefined) return (await client.events.list({ after, limit: PAGE_SIZE }, { signal })).data;
    const events: Event[] = [];
    for await (const event of client.events.iterate({}, { signal })) events.push(event);
    return events.reverse();
  } catch (error) {
    if (signal.aborted) return [];
    if (!isOutage(error)) throw error;
    onOutage(error.message);
    return [];
  }
}

function isOutage(error: unknown): error is Error {
  if (error instanceof PaymentEngineConnectionError) return true;
  if (!(error instanceof PaymentEngineError)) return false;
  return error.status === TOO_MANY_REQUESTS || error.status >= FIRST_SERVER_ERROR;
}

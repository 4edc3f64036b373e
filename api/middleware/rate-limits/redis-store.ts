import { createClient } from '@redis/client';
import { SECOND_MS } from '../../../domain/time.ts';

/** As much of a Redis client as limiters use. */
export interface RedisStore {
  /** Whether commands are taken at all. */
  readonly isReady: boolean;
  /** Runs a script. @throws Error within the time of one command */
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
  close(): void;
}

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`, with user, password and database number where there are any. */
  readonly url: string;
  /** How long one command may take. */
  readonly timeoutMs: number;
  /** Told once when the connection is lost or cannot be made, not again until there was one in between. */
  readonly onAway: (error: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 2 * SECOND_MS;
const RECONNECT_AFTER_MS = 500;
/** A connection that says nothing for so long is given up; the pings keep a sound one from that. */
const SILENCE_MS = 10 * SECOND_MS;
const PING_EVERY_MS = 4 * SECOND_MS;
const MAXIMUM_WAITING_COMMANDS = 2_000;

/**
 * A connection to Redis that never keeps a caller waiting: what is asked while there is none fails at once, what is not
 * answered in time fails then. It connects by itself, again and again.
 */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  let isClosed = false;
  let isAway = false;
  const open = () =>
    openClient(options.url)
      .on('error', (error: unknown) => {
        if (!isAway && !isClosed) options.onAway(error);
        isAway = true;
      })
      .on('ready', () => (isAway = false));
  let client = connect(open());

  /** A connection on which an answer is overdue may be a dead one, and what it still answers is of no use. */
  const replace = (overdue: typeof client): void => {
    if (overdue !== client || isClosed) return;
    overdue.destroy();
    client = connect(open());
  };

  return {
    get isReady() {
      return client.isReady;
    },
    async eval(script, { keys, arguments: values }) {
      const asked = client;
      return within(options.timeoutMs, asked.eval(script, { keys, arguments: values }), () => replace(asked));
    },
    close() {
      isClosed = true;
      client.destroy();
    },
  };
}

function openClient(url: string) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: PING_EVERY_MS,
    commandsQueueMaxLength: MAXIMUM_WAITING_COMMANDS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: () => RECONNECT_AFTER_MS,
    },
  });
}

/** It tries again by itself; giving up only means that it was closed. */
function connect<Client extends { connect(): Promise<unknown> }>(client: Client): Client {
  client.connect().catch(() => undefined);
  return client;
}

/** Rejects when `reply` is not there in time, though not before replies that have arrived were read. */
async function within<Reply>(timeoutMs: number, reply: Promise<Reply>, onOverdue: () => void): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      setImmediate(() => reject(new OverdueError(`Redis did not answer within ${timeoutMs} ms`)));
    }, timeoutMs);
  });
  try {
    return await Promise.race([reply, overdue]);
  } catch (error) {
    if (error instanceof OverdueError) onOverdue();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class OverdueError extends Error {
  override readonly name = 'OverdueError';
}

import { createClient } from '@redis/client';
import { SECOND_MS } from '../../domain/time.ts';

/** The part of a Redis client that limiters use. */
export interface RedisStore {
  /** Whether commands can be sent. */
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
  /** Called once when the connection is lost, cannot be made, or a command fails; again only after a command has succeeded. */
  readonly onUnavailable: (error: unknown) => void;
  /** Called at the first command that succeeds after that. */
  readonly onRecovered: () => void;
}

const CONNECT_TIMEOUT_MS = 2 * SECOND_MS;
const RECONNECT_AFTER_MS = 500;
/** A connection without traffic for so long is closed; pings keep a working one open. */
const SILENCE_MS = 10 * SECOND_MS;
const PING_EVERY_MS = 4 * SECOND_MS;
const MAXIMUM_WAITING_COMMANDS = 2_000;

/**
 * A connection to Redis with bounded waits: a command fails at once while there is no connection, and after the timeout
 * when no reply comes. It reconnects by itself.
 */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  let isClosed = false;
  let isUnavailable = false;
  const report = (error: unknown): void => {
    if (!isUnavailable && !isClosed) options.onUnavailable(error);
    isUnavailable = true;
  };
  // A connection alone is no recovery: Redis may still be loading its data, or reject writes.
  const reportRecovery = (): void => {
    if (isUnavailable && !isClosed) options.onRecovered();
    isUnavailable = false;
  };
  const open = () => openClient(options.url).on('error', report);
  let client = connect(open());

  /** Replaces a connection with an overdue reply: it may be dead, and its late replies are useless. */
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
      const current = client;
      const reply = current.eval(script, { keys, arguments: values });
      try {
        const result = await within(options.timeoutMs, reply, () => replace(current));
        reportRecovery();
        return result;
      } catch (error) {
        report(error);
        throw error;
      }
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

/** It reconnects by itself; the promise rejects only when it was closed. */
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

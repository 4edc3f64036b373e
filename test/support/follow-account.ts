import { setTimeout as wait } from 'node:timers/promises';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { signRequest } from '../../sdk/server/sign.ts';
import { connectSocket, type ReceivedFrame, type SocketClient } from './socket-client.ts';

const RETRY_AFTER_MS = 50;

/** A client that reconnects to the next gateway when its connection is lost, and resumes after its last event. */
export interface Follower {
  /** Every event, in the order of arrival. */
  readonly frames: readonly ReceivedFrame[];
  /** Frames that are neither events nor `ready`. */
  readonly complaints: readonly ReceivedFrame[];
  /** How often it has connected. */
  readonly connections: number;
  end(): Promise<void>;
}

/** The socket address of a server. */
export function socketUrl(baseUrl: string): string {
  return `${baseUrl.replace(/^http/, 'ws')}${EVENTS_SOCKET_PATH}`;
}

/** Connects as a merchant, without a first frame. */
export function connectSigned(
  baseUrl: string,
  credentials: Credentials,
  headers: Readonly<Record<string, string>> = {},
): Promise<SocketClient> {
  const request = { method: 'GET', target: EVENTS_SOCKET_PATH, body: undefined, headers };
  return connectSocket(socketUrl(baseUrl), { headers: signRequest(credentials, request) });
}

/** Follows all events of an account; resolves when the first connection is ready. */
export function followAccount(baseUrls: readonly string[], credentials: Credentials): Promise<Follower> {
  return follow((attempt) => connectSigned(baseUrls[attempt % baseUrls.length] ?? '', credentials), {});
}

/** Follows one payment as a page does; resolves when the first connection is ready. */
export function followPayment(baseUrls: readonly string[], clientSecret: string): Promise<Follower> {
  return follow((attempt) => connectSocket(socketUrl(baseUrls[attempt % baseUrls.length] ?? '')), { clientSecret });
}

async function follow(connect: (attempt: number) => Promise<SocketClient>, subscription: object): Promise<Follower> {
  const frames: ReceivedFrame[] = [];
  const complaints: ReceivedFrame[] = [];
  let connections = 0;
  let after: unknown;
  let client: SocketClient | undefined;
  let isEnding = false;

  const take = (frame: ReceivedFrame): void => {
    if (frame['type'] === 'ready') after ??= frame['lastEventId'] ?? undefined;
    else if ('event' in frame) {
      frames.push(frame);
      after = frame['id'];
    } else complaints.push(frame);
  };
  const listen = async (onReady: () => void): Promise<void> => {
    for (let attempt = 0; !isEnding; attempt += 1) {
      try {
        client = await connect(attempt);
        // It may have been ended while it connected.
        if (isEnding) return client.socket.terminate();
        client.send({ type: 'subscribe', ...subscription, after });
        connections += 1;
        for (;;) {
          take(await client.next());
          onReady();
        }
      } catch {
        await wait(RETRY_AFTER_MS);
      }
    }
  };

  let ended = Promise.resolve();
  await new Promise<void>((resolve) => {
    ended = listen(resolve);
  });
  return {
    frames,
    complaints,
    get connections() {
      return connections;
    },
    async end() {
      isEnding = true;
      client?.socket.terminate();
      await ended;
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { signRequest } from '../../sdk/server/sign.ts';

/** A merchant's socket, which receives all events of the account. */
export interface SocketSubscriber {
  /** Every event frame, in the order of arrival. */
  readonly frames: readonly SocketEvent[];
  /** Frames that are neither events nor `ready`. */
  readonly unexpectedFrames: readonly string[];
  readonly connections: number;
  end(): Promise<void>;
}

export interface SocketEvent {
  readonly id: string;
  readonly sequence: number;
  readonly paymentIntentId: string | null;
}

export interface SocketSubscriberOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly secretSalt: string;
}

const RECONNECT_AFTER_MS = 250;
/** Pings come every 30 s; a connection that is silent for longer is dead. */
const SILENT_AFTER_MS = 45_000;
const eventSchema = z.object({ id: z.string(), sequence: z.number(), paymentIntentId: z.string().nullable() });
const readySchema = z.object({ type: z.literal('ready'), lastEventId: z.string().nullable() });

/** Subscribes to an account, and resumes after the last event when the connection is lost. Resolves when it is first ready. */
export async function subscribeToEvents(options: SocketSubscriberOptions): Promise<SocketSubscriber> {
  const frames: SocketEvent[] = [];
  const unexpectedFrames: string[] = [];
  let connections = 0;
  let after: string | null = null;
  let socket: WebSocket | undefined;
  let isEnding = false;
  let announceReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (announceReady = resolve));

  const take = (text: string): void => {
    const frame: unknown = JSON.parse(text);
    const event = eventSchema.safeParse(frame);
    if (event.success) {
      frames.push(event.data);
      after = event.data.id;
      return;
    }
    const start = readySchema.safeParse(frame);
    if (!start.success) unexpectedFrames.push(text);
    else after ??= start.data.lastEventId;
    announceReady();
  };
  const follow = async (): Promise<void> => {
    while (!isEnding) {
      socket = connect(options);
      connections += 1;
      await listen(socket, () => (after === null ? {} : { after }), take);
      if (!isEnding) await sleep(RECONNECT_AFTER_MS);
    }
  };
  const ended = follow();
  await Promise.race([ready, ended]);
  return {
    frames,
    unexpectedFrames,
    get connections() {
      return connections;
    },
    async end() {
      isEnding = true;
      socket?.terminate();
      await ended;
    },
  };
}

function connect({ gatewayUrl, apiKey, secretSalt }: SocketSubscriberOptions): WebSocket {
  const url = `${gatewayUrl.replace(/^http/, 'ws')}${EVENTS_SOCKET_PATH}`;
  return new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
    headers: signRequest({ apiKey, secretSalt }, { method: 'GET', target: EVENTS_SOCKET_PATH, body: undefined }),
  });
}

/** Settles when the connection has ended, however it did. */
function listen(socket: WebSocket, cursor: () => object, take: (text: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const hear = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), SILENT_AFTER_MS);
    };
    hear();
    socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', ...cursor() })));
    socket.on('ping', hear);
    socket.on('message', (data) => {
      hear();
      take(data.toString());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(silence);
      resolve();
    });
  });
}

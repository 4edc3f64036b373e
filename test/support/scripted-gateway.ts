import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeServer, listenLocally } from './local-server.ts';

/** One subscription that reached the gateway. */
interface Subscriber {
  /** Its first frame. */
  readonly subscribe: Readonly<Record<string, unknown>>;
  send(...frames: readonly object[]): void;
  /** Closes with a code, or cuts the connection without one. */
  end(code?: number): void;
}

/** The response to a request. */
export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** A server in place of the API whose events and responses the test defines. */
export interface ScriptedGateway {
  readonly baseUrl: string;
  /** The next subscription. */
  next(): Promise<Subscriber>;
  stop(): Promise<void>;
}

/** @param answer makes the responses to HTTP requests */
export async function startScriptedGateway(
  answer: (request: IncomingMessage, body: string) => Reply = () => ({ status: 404, body: {} }),
): Promise<ScriptedGateway> {
  const server = createServer((request, response) => void respond(request, response, answer));
  const sockets = new WebSocketServer({ server });
  const waiting: ((subscriber: Subscriber) => void)[] = [];
  const arrived: Subscriber[] = [];
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('message', (data) => {
      const subscriber = subscriberOf(socket, JSON.parse(data.toString()));
      const resolve = waiting.shift();
      if (resolve === undefined) arrived.push(subscriber);
      else resolve(subscriber);
    });
  });
  return {
    baseUrl: await listenLocally(server),
    next: () => {
      const subscriber = arrived.shift();
      return subscriber === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(subscriber);
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      await closeServer(server);
    },
  };
}

function subscriberOf(socket: WebSocket, subscribe: Subscriber['subscribe']): Subscriber {
  return {
    subscribe,
    send: (...frames) => frames.forEach((frame) => socket.send(JSON.stringify(frame))),
    end: (code) => (code === undefined ? socket.terminate() : socket.close(code)),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: NonNullable<Parameters<typeof startScriptedGateway>[0]>,
): Promise<void> {
  const { status, body, headers = {} } = answer(request, await readText(request));
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

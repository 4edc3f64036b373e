import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { ERROR_CATALOGUE } from '../domain/error-catalogue.ts';
import type { Database } from '../prisma/client.ts';
import { createConnectionCount } from './connection-count.ts';
import { createConnection, type Connection } from './connection.ts';
import { startEventTail } from './event-tail.ts';
import { createFanOut } from './fan-out.ts';
import { asksForWebSocket, ignoreUpgrade } from './ignore-upgrade.ts';
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from './limits.ts';
import { malformedUpgrade } from './malformed-upgrade.ts';
import { type CountedRefusal, type Refusal, refuseOnSocket } from './refuse-on-socket.ts';
import { subscribe } from './subscribe.ts';

/** Where clients connect. */
export const EVENTS_SOCKET_PATH = '/api/v1/events/socket';

export interface GatewayDependencies {
  readonly database: Database;
  /** For the connection that follows the events. */
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Limits other than the default ones. */
  readonly limits?: Partial<GatewayLimits>;
  /** The client's address, where a trusted proxy stands before the server; default: the peer's. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** What every answer of the server carries, those to requests for sockets included; default: nothing. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Counts what a client is refused for a fault of its own; default: nothing is counted. */
  readonly countRefusal?: (request: IncomingMessage) => Promise<CountedRefusal>;
}

export interface Gateway {
  /** Refuses new sockets, closes those there are with 1012 and stops following the events. */
  close(): Promise<void>;
}

/**
 * Serves the events' socket on an HTTP server, refuses sockets elsewhere and ignores other upgrades. To be closed before the server, which
 * would wait for the sockets.
 */
export function attachGateway(server: Server | SecureServer, dependencies: GatewayDependencies): Gateway {
  const { database, databaseUrl, logger, limits: overrides, addressOf = peerAddress } = dependencies;
  const limits: GatewayLimits = { ...DEFAULT_GATEWAY_LIMITS, ...overrides };
  const connections = new Set<Connection>();
  const count = createConnectionCount(limits.maximumConnections, limits.maximumConnectionsPerAddress);
  const fanOut = createFanOut(limits.maximumSubscribersPerIntent);
  const tail = startEventTail({
    databaseUrl,
    logger,
    onEvent: (event) => fanOut.publish(event),
    isWanted: () => fanOut.size > 0,
  });
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maximumFrameBytes,
    perMessageDeflate: false,
  });
  let isClosing = false;

  const welcome = (socket: WebSocket): void => {
    const connection = createConnection({
      socket,
      limits,
      logger,
      onSubscribe: (from, frame) => subscribe({ database, tail, fanOut, limits }, from, frame),
    });
    connections.add(connection);
    connection.onClosed(() => connections.delete(connection));
  };

  sockets.on('headers', (lines) => lines.push(...headerLines(dependencies)));
  sockets.on('wsClientError', (error, socket, request) => {
    void refuse(dependencies, request, socket, malformedUpgrade(request, error));
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) return ignoreUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    if (pathOf(request) !== EVENTS_SOCKET_PATH) {
      return void refuse(dependencies, request, socket, { code: 'RESOURCE_NOT_FOUND' });
    }
    const leave = isClosing ? null : count.enter(addressOf(request));
    if (leave === null) return void refuse(dependencies, request, socket, { code: 'SERVICE_UNAVAILABLE' });
    socket.once('close', leave);
    sockets.handleUpgrade(request, socket, head, welcome);
  });

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, limits.pingEveryMs);

  return {
    async close() {
      isClosing = true;
      clearInterval(heartbeat);
      await drain(connections, limits.closeWithinMs);
      await tail.stop();
    },
  };
}

/** What the service itself cannot do is no fault of the client, and is not counted. */
async function refuse(
  { countRefusal, headers = () => ({}) }: GatewayDependencies,
  request: IncomingMessage,
  socket: Duplex,
  refusal: Refusal,
): Promise<void> {
  const isCounted = countRefusal !== undefined && ERROR_CATALOGUE[refusal.code].status < 500;
  const counted = isCounted ? await countRefusal(request) : { headers: headers(), exceeded: null };
  const said = counted.exceeded ?? refusal;
  refuseOnSocket(socket, { ...said, headers: { ...counted.headers, ...said.headers } });
}

function headerLines({ headers = () => ({}) }: GatewayDependencies): string[] {
  return Object.entries(headers()).map(([name, value]) => `${name}: ${value}`);
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

function peerAddress(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '';
}

/** Those that do not answer in time are cut off by their own deadline. */
async function drain(connections: ReadonlySet<Connection>, withinMs: number): Promise<void> {
  const gone = [...connections].map((each) => new Promise<void>((resolve) => each.onClosed(resolve)));
  for (const connection of connections) connection.close('restarting');
  const giveUp = new AbortController();
  const deadline = wait(2 * withinMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
  await Promise.race([Promise.all(gone), deadline]);
  giveUp.abort();
  for (const connection of connections) connection.terminate();
}

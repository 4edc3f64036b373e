import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Database } from '../prisma/client.ts';
import { type AuthenticatedRequest, type SocketAuthentication, startRevocationCheck } from './socket-authentication.ts';
import { type Connection, createConnectionCount } from './connection.ts';
import { startEventTail } from './event-tail.ts';
import { createFanOut } from './subscription.ts';
import { asksForWebSocket, createSocketServer, ignoreUpgrade, malformedUpgrade, type OriginRule } from './upgrade.ts';
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from './limits.ts';
import { type RejectionOptions, rejectSocket, rejectUpgrade } from './rejection.ts';
import { acceptMerchant, acceptPage } from './accept-socket.ts';

/** Where clients connect. */
export const EVENTS_SOCKET_PATH = '/api/v1/events/socket';

export interface GatewayDependencies extends RejectionOptions {
  readonly database: Database;
  /** For the connection that follows the events. */
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Limits other than the default ones. */
  readonly limits?: Partial<GatewayLimits>;
  /** The client's address, where a trusted proxy stands before the server; default: the peer's. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** Which origins may open sockets; default: any. */
  readonly isOriginAllowed?: OriginRule;
  /** Authenticates API keys; default: only client secrets are accepted. */
  readonly accounts?: SocketAuthentication;
}

export interface Gateway {
  /** Rejects new sockets, closes open ones with 1012 and stops following the events. */
  close(): Promise<void>;
}

/**
 * Serves the events' socket on an HTTP server, rejects sockets on other paths and ignores other upgrades. Close it before
 * the server, which would wait for the sockets.
 */
export function attachGateway(server: Server | SecureServer, dependencies: GatewayDependencies): Gateway {
  const { database, databaseUrl, logger, limits: overrides, addressOf = peerAddress, accounts } = dependencies;
  const { isOriginAllowed = () => true } = dependencies;
  const limits: GatewayLimits = { ...DEFAULT_GATEWAY_LIMITS, ...overrides };
  const connections = new Set<Connection>();
  const count = createConnectionCount(limits.maximumConnections, limits.maximumConnectionsPerAddress);
  const fanOut = createFanOut();
  const tail = startEventTail({
    databaseUrl,
    logger,
    onEvent: (event) => fanOut.publish(event),
    hasSubscribers: () => fanOut.size > 0,
  });
  const acceptOptions = { ...dependencies, subscriptions: { database, tail, fanOut, limits } };
  const revocationCheck = startRevocationCheck({
    findRevoked: async (principals) => (await accounts?.findRevoked(principals)) ?? [],
    everyMs: limits.checkRevocationsEveryMs,
    logger,
  });
  const sockets = createSocketServer(limits);
  const authenticated = new WeakMap<IncomingMessage, AuthenticatedRequest>();
  let isClosing = false;

  const accept = (socket: WebSocket, request: IncomingMessage): void => {
    const signed = authenticated.get(request);
    const connection =
      signed === undefined
        ? acceptPage(acceptOptions, socket, { address: addressOf(request), isAllowed: isOriginAllowed(request) })
        : acceptMerchant(acceptOptions, socket, signed.principal);
    if (signed !== undefined) revocationCheck.add(connection, signed.principal);
    connections.add(connection);
    connection.onClosed(() => connections.delete(connection));
  };

  sockets.on('headers', (lines, request) => {
    const headers = authenticated.get(request)?.headers ?? dependencies.headers?.() ?? {};
    lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  });
  sockets.on('wsClientError', (error, socket, request) => {
    void rejectUpgrade(dependencies, addressOf(request), socket, malformedUpgrade(request, error));
  });

  const authenticate = async (request: IncomingMessage, socket: Duplex): Promise<boolean> => {
    if (accounts?.isSigned(request) !== true) return true;
    const signed = await accounts.authenticate(request);
    if ('rejection' in signed) rejectSocket(socket, signed.rejection);
    else authenticated.set(request, signed);
    return !('rejection' in signed);
  };

  const handleUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (pathOf(request) !== EVENTS_SOCKET_PATH) {
      return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'RESOURCE_NOT_FOUND' });
    }
    const release = count.acquire(addressOf(request));
    if (release === null)
      return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'SERVICE_UNAVAILABLE' });
    socket.once('close', release);
    if (!(await authenticate(request, socket))) return;
    if (isClosing) return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'SERVICE_UNAVAILABLE' });
    sockets.handleUpgrade(request, socket, head, accept);
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) return ignoreUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    void handleUpgrade(request, socket, head);
  });

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, limits.pingEveryMs);

  return {
    async close() {
      isClosing = true;
      clearInterval(heartbeat);
      revocationCheck.stop();
      await drain(connections, limits.closeWithinMs);
      await tail.stop();
    },
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

function peerAddress(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '';
}

/** A client that does not respond in time is cut off by its connection's deadline. */
async function drain(connections: ReadonlySet<Connection>, withinMs: number): Promise<void> {
  const gone = [...connections].map((each) => new Promise<void>((resolve) => each.onClosed(resolve)));
  for (const connection of connections) connection.close('restarting');
  const giveUp = new AbortController();
  const deadline = wait(2 * withinMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
  await Promise.race([Promise.all(gone), deadline]);
  giveUp.abort();
  for (const connection of connections) connection.terminate();
}

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
  /** Which pages may have sockets; default: any. */
  readonly isOriginAllowed?: OriginRule;
  /** Takes API keys; default: sockets are for client secrets only. */
  readonly accounts?: SocketAuthentication;
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
  const { database, databaseUrl, logger, limits: overrides, addressOf = peerAddress, accounts } = dependencies;
  const { isOriginAllowed: mayAsk = () => true } = dependencies;
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
  const welcoming = { ...dependencies, watching: { database, tail, fanOut, limits } };
  const accessWatch = startRevocationCheck({
    findWithdrawn: async (accesses) => (await accounts?.findRevoked(accesses)) ?? [],
    everyMs: limits.checkRevocationsEveryMs,
    logger,
  });
  const sockets = createSocketServer(limits);
  const admissions = new WeakMap<IncomingMessage, AuthenticatedRequest>();
  let isClosing = false;

  const welcome = (socket: WebSocket, request: IncomingMessage): void => {
    const admission = admissions.get(request);
    const connection =
      admission === undefined
        ? acceptPage(welcoming, socket, { address: addressOf(request), isAllowed: mayAsk(request) })
        : acceptMerchant(welcoming, socket, admission.access);
    if (admission !== undefined) accessWatch.add(connection, admission.access);
    connections.add(connection);
    connection.onClosed(() => connections.delete(connection));
  };

  sockets.on('headers', (lines, request) => {
    const headers = admissions.get(request)?.headers ?? dependencies.headers?.() ?? {};
    lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  });
  sockets.on('wsClientError', (error, socket, request) => {
    void rejectUpgrade(dependencies, addressOf(request), socket, malformedUpgrade(request, error));
  });

  const admit = async (request: IncomingMessage, socket: Duplex): Promise<boolean> => {
    if (accounts?.isSigned(request) !== true) return true;
    const admission = await accounts.authenticate(request);
    if ('refusal' in admission) rejectSocket(socket, admission.refusal);
    else admissions.set(request, admission);
    return !('refusal' in admission);
  };

  const answerUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (pathOf(request) !== EVENTS_SOCKET_PATH) {
      return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'RESOURCE_NOT_FOUND' });
    }
    const leave = count.acquire(addressOf(request));
    if (leave === null) return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'SERVICE_UNAVAILABLE' });
    socket.once('close', leave);
    if (!(await admit(request, socket))) return;
    if (isClosing) return rejectUpgrade(dependencies, addressOf(request), socket, { code: 'SERVICE_UNAVAILABLE' });
    sockets.handleUpgrade(request, socket, head, welcome);
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) return ignoreUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    void answerUpgrade(request, socket, head);
  });

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, limits.pingEveryMs);

  return {
    async close() {
      isClosing = true;
      clearInterval(heartbeat);
      accessWatch.stop();
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

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import { callerOfAddress } from '../domain/ip-address.ts';
import { newId } from '../domain/new-id.ts';
import type { SocketMetrics } from '../metrics/server-metrics.ts';
import type { Database } from '../prisma/connection/client.ts';
import {
  type AuthenticatedRequest,
  type SocketAuthentication,
  type SocketPrincipal,
  startRevocationCheck,
} from './socket-authentication.ts';
import type { Connection } from './connection.ts';
import { createConnectionCount } from '../http/connection-count.ts';
import { startEventTail } from './event-tail.ts';
import { createFanOut } from './subscription.ts';
import { createTurns } from '../http/turns.ts';
import { asksForWebSocket, createSocketServer, ignoreUpgrade, malformedUpgrade, type OriginRule } from './upgrade.ts';
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from './limits.ts';
import {
  type CallerRecognition,
  type CountedRejection,
  type RejectionOptions,
  rejectSocket,
  rejectUpgrade,
} from '../http/rejection.ts';
import { findRevokedPages, type PagePrincipal } from './page-authentication.ts';
import { acceptMerchant, acceptPage } from './accept-socket.ts';

/** Where clients connect. */
export const EVENTS_SOCKET_PATH = '/api/v1/events/socket';
const OTHER_PATH = `Expected a socket at ${EVENTS_SOCKET_PATH}; got one at another path.`;

export interface GatewayDependencies extends RejectionOptions, CallerRecognition {
  readonly database: Database;
  /** For look-ups of client secrets that nobody has checked yet. */
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  /** For the connection that follows the events. */
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Limits other than the default ones. */
  readonly limits: Partial<GatewayLimits>;
  /** The client's address, which is not the peer's where a trusted proxy stands before the server. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Which origins may open sockets. */
  readonly isOriginAllowed: OriginRule;
  /** Whether a request's connection may carry the client secrets of live payments. */
  readonly isSafeForProduction: (request: IncomingMessage) => boolean;
  /** Counts a request for a socket, by address. */
  readonly countUpgrade: (address: string) => CountedRejection;
  readonly metrics: SocketMetrics;
  /** Authenticates API keys. */
  readonly accounts: SocketAuthentication;
}

export interface Gateway {
  /** Rejects new sockets, closes open ones with 1012 and stops following the events. */
  close(): Promise<void>;
}

/**
 * Serves the events' socket on an HTTP server, rejects sockets on other paths and ignores other upgrades. Close it before
 * the server, which would wait for the sockets.
 */
export function attachGateway(server: Server, dependencies: GatewayDependencies): Gateway {
  const { database, databaseUrl, logger, addressOf, isOriginAllowed, isSafeForProduction, accounts, metrics } =
    dependencies;
  const limits: GatewayLimits = { ...DEFAULT_GATEWAY_LIMITS, ...dependencies.limits };
  const fanOut = createFanOut();
  const replays = createTurns(limits.replays);
  metrics.watchShare('replays', replays.usage);
  const connections = createOpenConnections(limits);
  metrics.countOpen(connections);
  const tail = startEventTail({
    databaseUrl,
    logger,
    onEvent: (event) => {
      metrics.published(event);
      fanOut.publish(event);
    },
    hasSubscribers: () => fanOut.size > 0,
    onLost: () => connections.restart(),
  });
  const checkOptions = { everyMs: limits.checkRevocationsEveryMs, logger };
  const merchantCheck = startRevocationCheck<SocketPrincipal>({
    ...checkOptions,
    findRevoked: (principals) => accounts.findRevoked(principals),
  });
  const pageCheck = startRevocationCheck<PagePrincipal>({
    ...checkOptions,
    findRevoked: (pages) => findRevokedPages(database, pages),
  });
  const acceptOptions = { ...dependencies, pageCheck, subscriptions: { database, tail, fanOut, limits, replays } };

  const accept = (socket: WebSocket, request: IncomingMessage, signed: AuthenticatedRequest | undefined): void => {
    if (signed === undefined) {
      const client = {
        address: addressOf(request),
        isAllowed: isOriginAllowed(request),
        isSafeForProduction: isSafeForProduction(request),
      };
      return connections.add(acceptPage(acceptOptions, socket, client));
    }
    const connection = acceptMerchant(acceptOptions, socket, signed.principal);
    merchantCheck.add(connection, signed.principal);
    connections.add(connection);
  };
  const upgrades = serveUpgrades(server, { dependencies, limits, accept });

  return {
    async close() {
      upgrades.reject();
      merchantCheck.stop();
      pageCheck.stop();
      await connections.close();
      await tail.stop();
    },
  };
}

interface UpgradeOptions {
  readonly dependencies: GatewayDependencies;
  readonly limits: GatewayLimits;
  /** Called with each new socket; a request that was not signed is a page's. */
  readonly accept: (socket: WebSocket, request: IncomingMessage, signed: AuthenticatedRequest | undefined) => void;
}

/** Handles the upgrades of a server, until they are to be rejected. */
function serveUpgrades(server: Server, { dependencies, limits, accept }: UpgradeOptions): { reject(): void } {
  const { accounts, addressOf } = dependencies;
  const count = createConnectionCount(limits.maximumConnections, limits.maximumConnectionsPerAddress);
  const sockets = createSocketServer(limits);
  const authenticated = new WeakMap<IncomingMessage, AuthenticatedRequest>();
  let isClosing = false;

  sockets.on('headers', (lines, request) => {
    const headers = authenticated.get(request)?.headers ?? dependencies.headers();
    const all = { 'X-Request-Id': newId('request'), ...headers };
    lines.push(...Object.entries(all).map(([name, value]) => `${name}: ${value}`));
  });
  sockets.on('wsClientError', (error, socket, request) => {
    void rejectUpgrade(dependencies, addressOf(request), socket, malformedUpgrade(request, error));
  });

  const authenticate = async (request: IncomingMessage, socket: Duplex): Promise<boolean> => {
    if (!accounts.isSigned(request)) return true;
    const signed = await accounts.authenticate(request);
    if ('rejection' in signed) rejectSocket(socket, signed.rejection);
    else authenticated.set(request, signed);
    return !('rejection' in signed);
  };

  const handleUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const address = addressOf(request);
    const counted = dependencies.countUpgrade(address);
    if (counted.exceeded) {
      const { headers, ...rejection } = counted.exceeded;
      return rejectSocket(socket, { ...rejection, headers: { ...counted.headers, ...headers } });
    }
    const reject = (code: ErrorCode, message?: string) =>
      rejectUpgrade(dependencies, address, socket, { code, message });
    if (pathOf(request) !== EVENTS_SOCKET_PATH) return reject('RESOURCE_NOT_FOUND', OTHER_PATH);
    const release = count.acquire(callerOfAddress(address));
    if (release === null) return reject('SERVICE_UNAVAILABLE');
    socket.once('close', release);
    if (!(await authenticate(request, socket))) return;
    if (isClosing) return reject('SERVICE_UNAVAILABLE');
    sockets.handleUpgrade(request, socket, head, (accepted) => accept(accepted, request, authenticated.get(request)));
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) return ignoreUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    void handleUpgrade(request, socket, head);
  });
  return {
    reject() {
      isClosing = true;
    },
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

interface OpenConnections {
  readonly size: number;
  add(connection: Connection): void;
  /** Has all clients connect again. */
  restart(): void;
  /** Closes all; a client that does not respond in time is cut off by its connection's deadline. */
  close(): Promise<void>;
}

/** All open connections, with a heartbeat that finds the dead ones. */
function createOpenConnections({ pingEveryMs, closeWithinMs }: GatewayLimits): OpenConnections {
  const connections = new Set<Connection>();
  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, pingEveryMs);

  return {
    get size() {
      return connections.size;
    },
    add(connection) {
      connections.add(connection);
      connection.onClosed(() => connections.delete(connection));
    },
    restart() {
      for (const connection of connections) connection.close('restarting');
    },
    async close() {
      clearInterval(heartbeat);
      const gone = [...connections].map((each) => new Promise<void>((resolve) => each.onClosed(resolve)));
      this.restart();
      const giveUp = new AbortController();
      const deadline = wait(2 * closeWithinMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
      await Promise.race([Promise.all(gone), deadline]);
      giveUp.abort();
      for (const connection of connections) connection.terminate();
    },
  };
}

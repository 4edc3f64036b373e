import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/engine.ts';
import { attachGateway, type Gateway } from './attach-gateway.ts';
import type { CountedRejection } from '../http/rejection.ts';
import { createOriginRule } from './upgrade.ts';
import { callerOfAddress } from '../domain/ip-address.ts';
import type { SocketMetrics } from '../metrics/server-metrics.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { Keyring } from '../vault/keyring.ts';
import { createSocketAuthentication } from './authenticate-sockets.ts';
import { productionProblem, transportOf } from '../http/transport.ts';
import type { KnownCallers } from '../http/authentication/known-callers.ts';
import type { ClientAddresses } from '../http/client-address.ts';
import type { KeyUses } from '../http/key-uses.ts';
import { countedRejection, rateLimitHeaders, type RateLimiters } from '../http/rate-limits/rate-limit.ts';
import { createLocalLimiter } from '../http/rate-limits/rate-limiters.ts';

export interface SocketDependencies {
  readonly config: Pick<ServerConfig, 'databaseUrl' | 'socketOrigins' | 'socketsPerAddress' | 'rateLimits'>;
  readonly database: Database;
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  readonly knownCallers: KnownCallers;
  /** Null in a process without vault keys, which rejects API keys on signature version 2. */
  readonly keyring: Keyring | null;
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  readonly keyUses: Pick<KeyUses, 'note'>;
  readonly countRejection: (address: string) => Promise<CountedRejection>;
  readonly metrics: SocketMetrics;
  readonly logger: Logger;
}

/** Mounts the socket of events on a server, with the authentication and rate limits of REST. */
export function serveSockets(server: Server, dependencies: SocketDependencies): Gateway {
  const {
    config,
    database,
    unknownCallersDatabase,
    knownCallers,
    rateLimiters,
    addresses,
    countRejection,
    metrics,
    logger,
  } = dependencies;
  const countUpgrade = createLocalLimiter(config.rateLimits.sockets);
  return attachGateway(server, {
    database,
    unknownCallersDatabase,
    databaseUrl: config.databaseUrl,
    metrics,
    logger,
    limits: { maximumConnectionsPerAddress: config.socketsPerAddress },
    addressOf: addresses.of,
    isOriginAllowed: createOriginRule(config.socketOrigins),
    isSafeForProduction: (request) => productionProblem(transportOf(request, addresses)) === null,
    accounts: createSocketAuthentication(dependencies),
    headers: () => rateLimitHeaders(rateLimiters.uncounted()),
    countRejection,
    isBlocked: (address, secret) => rateLimiters.blockedAddress(address) !== null && !knownCallers.has(secret),
    onAuthenticated: knownCallers.add,
    countUpgrade: (address) => countedRejection(countUpgrade(callerOfAddress(address))),
  });
}

import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/engine.ts';
import { attachGateway, type Gateway } from '../../gateway/attach-gateway.ts';
import type { CountedRejection } from '../../gateway/rejection.ts';
import { createOriginRule } from '../../gateway/upgrade.ts';
import type { Database } from '../../prisma/client.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { createSocketAuthentication } from '../middleware/authentication/socket-authentication.ts';
import { productionProblem, transportOf } from '../middleware/transport.ts';
import type { ClientAddresses } from '../middleware/client-address.ts';
import { rateLimitHeaders, type RateLimiters } from '../middleware/rate-limits/rate-limit.ts';

export interface SocketDependencies {
  readonly config: Pick<ServerConfig, 'databaseUrl' | 'socketOrigins'>;
  readonly database: Database;
  /** Null in a process without vault keys, which rejects API keys on signature version 2. */
  readonly keyring: Keyring | null;
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  readonly countRejection: (address: string) => Promise<CountedRejection>;
  readonly logger: Logger;
}

/** Mounts the socket of events on a server, with the authentication and rate limits of REST. */
export function serveSockets(server: Server, dependencies: SocketDependencies): Gateway {
  const { config, database, keyring, rateLimiters, addresses, countRejection, logger } = dependencies;
  return attachGateway(server, {
    database,
    databaseUrl: config.databaseUrl,
    logger,
    addressOf: addresses.of,
    isOriginAllowed: createOriginRule(config.socketOrigins),
    isSafeForProduction: (request) => productionProblem(transportOf(request, addresses)) === null,
    accounts: createSocketAuthentication({ database, keyring, rateLimiters, addresses, logger }),
    headers: () => rateLimitHeaders(rateLimiters.uncounted()),
    countRejection,
  });
}

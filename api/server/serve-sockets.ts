import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/engine.ts';
import { attachGateway, type Gateway } from '../../gateway/attach-gateway.ts';
import type { CountedRefusal } from '../../gateway/refuse-on-socket.ts';
import { createOriginRule } from '../../gateway/origin-rule.ts';
import type { Database } from '../../prisma/client.ts';
import { createSocketAccounts } from '../middleware/authentication/socket-accounts.ts';
import type { ClientAddresses } from '../middleware/client-address.ts';
import { rateLimitHeaders, type RateLimiters } from '../middleware/rate-limits/rate-limit.ts';

export interface SocketDependencies {
  readonly config: Pick<ServerConfig, 'databaseUrl' | 'socketOrigins'>;
  readonly database: Database;
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  readonly countRefusal: (address: string) => Promise<CountedRefusal>;
  readonly logger: Logger;
}

/** Lets a server serve the events' socket, under the limits and with the keys of REST. */
export function serveSockets(server: Server, dependencies: SocketDependencies): Gateway {
  const { config, database, rateLimiters, addresses, countRefusal, logger } = dependencies;
  return attachGateway(server, {
    database,
    databaseUrl: config.databaseUrl,
    logger,
    addressOf: addresses.of,
    mayAsk: createOriginRule(config.socketOrigins),
    accounts: createSocketAccounts({ database, rateLimiters, addresses, logger }),
    headers: () => rateLimitHeaders(rateLimiters.uncounted()),
    countRefusal,
  });
}

import type { Logger } from 'pino';
import type { SocketPrincipal, SocketAuthentication } from './access.ts';
import type { Connection } from './connection.ts';

export interface RevocationCheckOptions {
  readonly findWithdrawn: SocketAuthentication['findRevoked'];
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Closes the sockets of those who may no longer listen: keys that are revoked, accounts that are suspended, and so on. */
export interface RevocationCheck {
  add(connection: Connection, access: SocketPrincipal): void;
  stop(): void;
}

export function startRevocationCheck({ findWithdrawn, everyMs, logger }: RevocationCheckOptions): RevocationCheck {
  const watched = new Map<Connection, SocketPrincipal>();
  let isAsking = false;

  const check = async (): Promise<void> => {
    if (isAsking || watched.size === 0) return;
    isAsking = true;
    try {
      const withdrawn = new Set(await findWithdrawn([...watched.values()]));
      for (const [connection, access] of watched) if (withdrawn.has(access)) connection.close('forbidden');
    } catch (error) {
      // Without the database no event comes either.
      logger.debug({ err: error }, 'access could not be checked');
    } finally {
      isAsking = false;
    }
  };

  const timer = setInterval(() => void check(), everyMs);
  return {
    add(connection, access) {
      watched.set(connection, access);
      connection.onClosed(() => watched.delete(connection));
    },
    stop: () => clearInterval(timer),
  };
}

import type { Logger } from 'pino';
import type { AccountAccess, AccountAuthentication } from './access.ts';
import type { Connection } from './connection.ts';

export interface AccessWatchOptions {
  readonly findWithdrawn: AccountAuthentication['findWithdrawn'];
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Closes the sockets of those who may no longer listen: keys that are revoked, accounts that are suspended, and so on. */
export interface AccessWatch {
  add(connection: Connection, access: AccountAccess): void;
  stop(): void;
}

export function createAccessWatch({ findWithdrawn, everyMs, logger }: AccessWatchOptions): AccessWatch {
  const watched = new Map<Connection, AccountAccess>();
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

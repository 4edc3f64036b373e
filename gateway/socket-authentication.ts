import type { IncomingMessage } from 'node:http';
import type { Rejection } from './rejection.ts';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';

/** The events of a merchant account, for whoever has signed the request for the socket. */
export interface SocketPrincipal {
  readonly apiKeyId: string;
  readonly merchantAccountId: string;
  /** Where the client is. */
  readonly address: string;
}

/** What the signed headers of a request for a socket have proved. */
export interface AuthenticatedRequest {
  readonly access: SocketPrincipal;
  /** What the limit of the key says. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes API keys for sockets. Client secrets come later, in the first frame. */
export interface SocketAuthentication {
  /** Whether a request brings an API key, or tries to. */
  isSigned(request: IncomingMessage): boolean;
  /** Every check that a REST request has to pass. Never throws; what is refused has been counted. */
  authenticate(request: IncomingMessage): Promise<AuthenticatedRequest | { readonly refusal: Rejection }>;
  /**
   * Those that a request signed now would no longer get.
   * @throws when the database cannot be asked
   */
  findRevoked(accesses: readonly SocketPrincipal[]): Promise<readonly SocketPrincipal[]>;
}

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

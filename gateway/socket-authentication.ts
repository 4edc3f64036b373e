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
  readonly principal: SocketPrincipal;
  /** What the limit of the key says. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes API keys for sockets. Client secrets come later, in the first frame. */
export interface SocketAuthentication {
  /** Whether a request brings an API key, or tries to. */
  isSigned(request: IncomingMessage): boolean;
  /** Every check that a REST request has to pass. Never throws; what is refused has been counted. */
  authenticate(request: IncomingMessage): Promise<AuthenticatedRequest | { readonly rejection: Rejection }>;
  /**
   * Those that a request signed now would no longer get.
   * @throws when the database cannot be asked
   */
  findRevoked(principals: readonly SocketPrincipal[]): Promise<readonly SocketPrincipal[]>;
}

export interface RevocationCheckOptions {
  readonly findRevoked: SocketAuthentication['findRevoked'];
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Closes the sockets of those who may no longer listen: keys that are revoked, accounts that are suspended, and so on. */
export interface RevocationCheck {
  add(connection: Connection, principal: SocketPrincipal): void;
  stop(): void;
}

export function startRevocationCheck({ findRevoked, everyMs, logger }: RevocationCheckOptions): RevocationCheck {
  const watched = new Map<Connection, SocketPrincipal>();
  let isAsking = false;

  const check = async (): Promise<void> => {
    if (isAsking || watched.size === 0) return;
    isAsking = true;
    try {
      const revoked = new Set(await findRevoked([...watched.values()]));
      for (const [connection, principal] of watched) if (revoked.has(principal)) connection.close('forbidden');
    } catch (error) {
      // Without the database no event comes either.
      logger.debug({ err: error }, 'access could not be checked');
    } finally {
      isAsking = false;
    }
  };

  const timer = setInterval(() => void check(), everyMs);
  return {
    add(connection, principal) {
      watched.set(connection, principal);
      connection.onClosed(() => watched.delete(connection));
    },
    stop: () => clearInterval(timer),
  };
}

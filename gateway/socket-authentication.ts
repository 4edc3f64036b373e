import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../http/rejection.ts';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';

/** The authenticated sender of a signed request for a socket. */
export interface SocketPrincipal {
  readonly apiKeyId: string;
  readonly merchantAccountId: string;
  /** Where the client is. */
  readonly address: string;
}

/** A request for a socket that has passed authentication. */
export interface AuthenticatedRequest {
  readonly principal: SocketPrincipal;
  /** The rate-limit headers of the key. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Authenticates sockets by API key. Client secrets come later, in the first frame. */
export interface SocketAuthentication {
  /** Whether a request has, or claims to have, an API key. */
  isSigned(request: IncomingMessage): boolean;
  /** Every check that a REST request has to pass. Never throws; rejected requests have been counted. */
  authenticate(request: IncomingMessage): Promise<AuthenticatedRequest | { readonly rejection: Rejection }>;
  /**
   * The principals whose key or account would fail authentication now.
   * @throws when the database is unavailable
   */
  findRevoked(principals: readonly SocketPrincipal[]): Promise<readonly SocketPrincipal[]>;
}

export interface RevocationCheckOptions<Principal> {
  /** The principals that would fail authentication now. */
  readonly findRevoked: (principals: readonly Principal[]) => Promise<readonly Principal[]>;
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Closes sockets whose key was revoked or whose account was suspended since they were accepted. */
export interface RevocationCheck<Principal> {
  add(connection: Connection, principal: Principal): void;
  stop(): void;
}

export function startRevocationCheck<Principal>({
  findRevoked,
  everyMs,
  logger,
}: RevocationCheckOptions<Principal>): RevocationCheck<Principal> {
  const open = new Map<Connection, Principal>();
  let isChecking = false;

  const check = async (): Promise<void> => {
    if (isChecking || open.size === 0) return;
    isChecking = true;
    try {
      const revoked = new Set(await findRevoked([...open.values()]));
      for (const [connection, principal] of open) if (revoked.has(principal)) connection.close('forbidden');
    } catch (error) {
      // Without the database no events arrive either, so the sockets may stay open.
      logger.debug({ err: error }, 'revocations could not be checked');
    } finally {
      isChecking = false;
    }
  };

  const timer = setInterval(() => void check(), everyMs);
  return {
    add(connection, principal) {
      open.set(connection, principal);
      connection.onClosed(() => open.delete(connection));
    },
    stop: () => clearInterval(timer),
  };
}

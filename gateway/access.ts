import type { IncomingMessage } from 'node:http';
import type { Rejection } from './refuse-on-socket.ts';

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

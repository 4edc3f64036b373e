import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { isForwarded, isLoopback } from '../domain/ip-address.ts';
import type { ClientAddresses } from './client-address.ts';
import type { Environment } from '../domain/payment.ts';
import { ApiError } from '../domain/api-error.ts';

/** How a request reached this server. */
export interface Transport {
  /** Whether the client's connection is HTTPS, as far as this server or a trusted proxy says. */
  readonly secure: boolean;
  /** The address at the other end of the connection: a client or a proxy. */
  readonly peerAddress: string;
  readonly peerIsTrustedProxy: boolean;
  /** Whether a header says that the request came through a proxy, trusted or not. */
  readonly isForwarded: boolean;
  /** Whether the peer says what the client's connection is (X-Forwarded-Proto). */
  readonly tellsProtocol: boolean;
}

const SECURE_PROTOCOL = /^\s*(?:https|wss)\s*(?:,|$)/i;

export function transportOf({ socket, headers }: IncomingMessage, addresses: ClientAddresses): Transport {
  const peerAddress = socket.remoteAddress ?? '';
  const peerIsTrustedProxy = addresses.isTrustedProxy(peerAddress);
  const protocol = headers['x-forwarded-proto']?.toString();
  return {
    secure: peerIsTrustedProxy && protocol !== undefined ? SECURE_PROTOCOL.test(protocol) : socket instanceof TLSSocket,
    peerAddress,
    peerIsTrustedProxy,
    isForwarded: isForwarded(headers),
    tellsProtocol: protocol !== undefined,
  };
}

const HTTPS_ONLY = 'Production keys are taken over HTTPS only.';
const UNKNOWN_PROXY = `${HTTPS_ONLY} The request came through a proxy that TRUST_PROXY does not name: set TRUST_PROXY to its address.`;
const SILENT_PROXY = `${HTTPS_ONLY} The proxy does not say what the client's connection is: let it send X-Forwarded-Proto.`;

/**
 * Why production keys may not be used, for the caller; null where they may: over HTTPS, or directly from this machine. A request
 * whose proxy does not say HTTPS counts as plain HTTP: otherwise a proxy on this machine would pass for this machine itself.
 */
export function productionProblem(transport: Transport): string | null {
  const { secure, peerAddress, peerIsTrustedProxy, tellsProtocol } = transport;
  if (peerIsTrustedProxy && !tellsProtocol && (transport.isForwarded || !secure)) return SILENT_PROXY;
  if (secure) return null;
  if (peerIsTrustedProxy) return HTTPS_ONLY;
  if (transport.isForwarded) return UNKNOWN_PROXY;
  return isLoopback(peerAddress) ? null : HTTPS_ONLY;
}

/**
 * Refuses production over anything but HTTPS.
 * @param transport called for production only
 * @throws ApiError `FORBIDDEN`
 */
export function requireSecureTransport(environment: Environment, transport: () => Transport): void {
  if (environment !== 'production') return;
  const problem = productionProblem(transport());
  if (problem !== null) throw new ApiError('FORBIDDEN', { message: problem });
}

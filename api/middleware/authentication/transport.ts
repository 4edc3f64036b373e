import { isOnAllowlist } from './ip-allowlist.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

export interface Transport {
  /** Whether the client's connection is HTTPS, as far as this server or a trusted proxy says. */
  readonly secure: boolean;
  /** The address at the other end of the connection: a client or a proxy. */
  readonly peerAddress: string;
  readonly peerIsTrustedProxy: boolean;
  /** What the peer claims about the client's connection. */
  readonly forwardedProto: string | undefined;
}

/** Whether production keys may be used: over HTTPS, from this machine, or through a proxy that does not say "http". */
export function isSafeForProduction({ secure, peerAddress, peerIsTrustedProxy, forwardedProto }: Transport): boolean {
  if (secure) return true;
  if (peerIsTrustedProxy) return forwardedProto === undefined;
  return isOnAllowlist(peerAddress, LOOPBACK);
}

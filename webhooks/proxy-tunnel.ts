import http from 'node:http';
import https from 'node:https';
import { isIPv6, type Socket } from 'node:net';

/** The proxy refused to connect to the address, or could not. */
export class TunnelRefusedError extends Error {
  override readonly name = 'TunnelRefusedError';
  constructor(readonly statusCode: number) {
    super(`the proxy answered with status ${statusCode}`);
  }
}

export interface TunnelTarget {
  /** An IP address, never a name: the proxy would resolve a name again, to an address that nobody has checked (DNS rebinding). */
  readonly address: string;
  readonly port: number;
}

/**
 * A connection to an address through an HTTP proxy (CONNECT).
 *
 * `https-proxy-agent` would not replace this: it passes the proxy's own answer (403, 410 …) off as the endpoint's, and keeps
 * the connection to a silent proxy open after the request was aborted.
 * @param proxy `http:` or `https:`, with user name and password where the proxy asks for them
 * @throws TunnelRefusedError, or the error of the connection to the proxy
 */
export function openTunnel(proxy: URL, { address, port }: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const { request: open } = proxy.protocol === 'https:' ? https : http;
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    // Node would send user name and password of the URL in Authorization, which proxies do not read.
    const url = new URL('/', proxy);
    url.username = url.password = '';
    const request = open(url, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      signal,
    });
    request.on('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new TunnelRefusedError(statusCode));
    });
    request.on('error', reject);
    request.end();
  });
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

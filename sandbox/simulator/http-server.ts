import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { SECOND_MS } from '../../domain/time.ts';

const KEEP_ALIVE_MS = 65 * SECOND_MS;

/** An HTTP server with a graceful shutdown. */
export interface HttpServer {
  /** @returns the port that is listened on @throws the error of the operating system, such as `EADDRINUSE` */
  listen(host: string, port: number): Promise<number>;
  /** Accepts no new requests, waits up to `graceMs` for requests in progress, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

export function createHttpServer(listener: RequestListener): HttpServer {
  const inProgress = new Set<ServerResponse>();
  let onIdle: () => void = () => undefined;
  const server = createServer((request, response) => {
    inProgress.add(response);
    response.once('close', () => {
      inProgress.delete(response);
      if (inProgress.size === 0) onIdle();
    });
    listener(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),

    close: (graceMs) =>
      new Promise((resolve) => {
        // Not only idle connections: one that never sent a request counts as busy and would delay the shutdown.
        const cut = () => {
          server.closeAllConnections();
        };
        const cutTimer = setTimeout(cut, graceMs);
        server.close(() => {
          clearTimeout(cutTimer);
          resolve();
        });
        onIdle = cut;
        if (inProgress.size === 0) cut();
      }),
  };
}

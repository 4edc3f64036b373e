import { createServer, type RequestListener, type ServerResponse } from 'node:http';

/** An HTTP server that ends well. */
export interface HttpServer {
  /** @returns the port that is listened on @throws the error of the operating system, such as `EADDRINUSE` */
  listen(host: string, port: number): Promise<number>;
  /** Takes no new requests, lets those under way finish for a while, then cuts every connection. */
  close(graceMs: number): Promise<void>;
}

export function createHttpServer(listener: RequestListener, keepAliveMs: number): HttpServer {
  const underWay = new Set<ServerResponse>();
  let onIdle: () => void = () => undefined;
  const server = createServer((request, response) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) onIdle();
    });
    listener(request, response);
  });
  server.keepAliveTimeout = keepAliveMs;

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
        // Not only the idle ones: a connection on which no request ever came counts as busy and would hold up the end.
        const cut = () => {
          server.closeAllConnections();
        };
        const hurry = setTimeout(cut, graceMs);
        server.close(() => {
          clearTimeout(hurry);
          resolve();
        });
        onIdle = cut;
        if (underWay.size === 0) cut();
      }),
  };
}

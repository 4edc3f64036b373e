import assert from 'node:assert/strict';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Makes a server listen on a free port of this machine. @returns its address, for requests without TLS */
export async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server)}`;
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

/** Cuts the connections of a server, and resolves when it is closed. */
export async function closeServer(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSocketServer } from '../../gateway/upgrade.ts';

/** More than the largest message of the suite, and than it is ever cut into; clients of the gateway have far less to say. */
const LIMITS = { maximumFrameBytes: 64 * 1_048_576, maximumFragments: 1_000_000 };

/** The gateway's side of the protocol, with an echo for what the gateway says; settles with its port. */
export async function startSocketEcho(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer();
  const sockets = createSocketServer(LIMITS);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => undefined);
      client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the echo has no port');
  return { port: address.port, close: () => server.close() };
}

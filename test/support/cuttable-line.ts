import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line between clients and a server on this machine, that can break. */
export interface CuttableLine {
  readonly port: number;
  /** Breaks all connections at once, without a word of farewell; new ones pass. */
  cut(): void;
  /** Breaks them, and lets none through until it is mended. */
  cutOff(): void;
  mend(): void;
  /** Lets nothing through any more, either way, while the connections seem to stand. */
  goSilent(): void;
  close(): Promise<void>;
}

export async function openCuttableLine(serverPort: number): Promise<CuttableLine> {
  const sockets = new Set<Socket>();
  let isCutOff = false;
  let isSilent = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (isCutOff) return void client.resetAndDestroy();
    const upstream = keep(connect(serverPort, '127.0.0.1'));
    client.pipe(upstream).pipe(client);
    const end = (other: Socket) => () => void (isSilent || other.destroy());
    client.once('close', end(upstream));
    upstream.once('close', end(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    port: address.port,
    cut,
    cutOff() {
      isCutOff = true;
      cut();
    },
    mend() {
      isCutOff = false;
    },
    goSilent() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to the API that can be cut, as a customer's network is. */
export interface CuttableProxy {
  readonly url: string;
  /** Breaks all connections and lets none through until it is mended. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Passes on everything to the server at that address, on a free port. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => void open.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => open.forEach((socket) => socket.resetAndDestroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      server.close();
      breakAll();
    },
  };
}

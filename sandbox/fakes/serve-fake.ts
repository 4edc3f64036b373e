import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeEdge } from './edge.ts';

/** Where a fake listens on this machine. */
export interface FakePlace {
  /** A free one by default. */
  readonly port?: number;
  /** What requests and webhooks pass, where the fake is a process of its own. */
  readonly edge?: FakeEdge;
}

interface ServedFake {
  readonly url: string;
  /** Cuts the connections. */
  close(): Promise<void>;
}

/** Serves a fake on this machine, behind its edge if it has one. */
export async function serveFake(listener: RequestListener, { port = 0, edge }: FakePlace): Promise<ServedFake> {
  const server = createServer(edge?.serve(listener) ?? listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

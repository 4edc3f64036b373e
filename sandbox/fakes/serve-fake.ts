import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeEdge } from './edge.ts';

/** What all fakes have in common as servers. */
export interface FakeServerOptions {
  /** The port on this machine; a free one by default. */
  readonly port?: number;
  /** What requests and webhooks pass through if the fake is a process of its own. */
  readonly edge?: FakeEdge;
}

interface FakeServer {
  readonly url: string;
  /** Stops the server and cuts its connections. */
  close(): Promise<void>;
}

/** Serves a fake on this machine, behind its edge if it has one. */
export async function serveFake(listener: RequestListener, { port = 0, edge }: FakeServerOptions): Promise<FakeServer> {
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

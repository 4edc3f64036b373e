import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

/** A merchant's server: it takes webhooks, or refuses them all. */
export interface MerchantReceiver {
  readonly url: string;
  /** When it first took an event about the resource, as `performance.now()`; undefined where it has not. */
  takenAt(resourceId: string): number | undefined;
  setStatus(status: number): void;
  close(): void;
}

interface TakenEvent {
  readonly data: { readonly id: string };
}

/** Starts a receiver on a free port of this machine. */
export async function startMerchantReceiver(initialStatus: number): Promise<MerchantReceiver> {
  let status = initialStatus;
  const times = new Map<string, number>();
  const take = ({ data: { id } }: TakenEvent): void => {
    if (!times.has(id)) times.set(id, performance.now());
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (status < 300) take(JSON.parse(Buffer.concat(chunks).toString()) as TakenEvent);
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    takenAt: (resourceId) => times.get(resourceId),
    setStatus(next) {
      status = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

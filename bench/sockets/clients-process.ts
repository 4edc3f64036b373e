import { WebSocket } from 'ws';
import { z } from 'zod';
import { type ClientsMessage, clientsOrderSchema } from './messages.ts';

const frameSchema = z.looseObject({ type: z.string().optional(), createdAt: z.string().optional() });
/** Sockets that are opened concurrently. */
const OPENED_TOGETHER = 20;

const report = (message: ClientsMessage): void => void process.send?.(message);

/** Resolves when the gateway has sent the ready frame. */
function open(url: string, clientSecret: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', clientSecret })));
    socket.on('close', (code) => {
      reject(new Error(`a socket was closed with ${code}`));
      report({ kind: 'closed', code });
    });
    socket.on('message', (data) => {
      const receivedAt = Date.now();
      const { type, createdAt } = frameSchema.parse(JSON.parse(String(data)));
      if (type === 'ready') resolve();
      else if (createdAt !== undefined) report({ kind: 'event', latencyMs: receivedAt - Date.parse(createdAt) });
    });
  });
}

async function openAll(message: unknown): Promise<void> {
  const { url, secrets } = clientsOrderSchema.parse(message);
  const waiting = [...secrets];
  const openSome = async (): Promise<void> => {
    for (let secret = waiting.pop(); secret !== undefined; secret = waiting.pop()) await open(url, secret);
  };
  await Promise.all(Array.from({ length: OPENED_TOGETHER }, openSome));
  report({ kind: 'open' });
}

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  openAll(message).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { clientsMessageSchema, type ClientsOrder } from './messages.ts';

/** Socket clients in separate processes. */
export interface Clients {
  /** The latency of each event in milliseconds; grows. */
  readonly latencies: readonly number[];
  /** Sockets that were lost. */
  readonly lost: () => number;
  end(): Promise<void>;
}

/** Opens all sockets, each process its share. @throws Error when one of them cannot be opened */
export async function openClients(
  { url, secrets }: ClientsOrder,
  processes: number,
  signal: AbortSignal,
): Promise<Clients> {
  const children: ChildProcess[] = [];
  const latencies: number[] = [];
  let lost = 0;
  const start = async (share: readonly string[]): Promise<void> => {
    const child = fork(path.join(DIST_DIR, 'bench', 'sockets', 'clients-process.js'));
    children.push(child);
    const opened = new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('a process with sockets has ended')));
      signal.addEventListener('abort', () => reject(new Error('the time is up')), { once: true });
      child.on('message', (message) => {
        const news = clientsMessageSchema.parse(message);
        if (news.kind === 'open') resolve();
        else if (news.kind === 'event') latencies.push(news.latencyMs);
        else lost += 1;
      });
    });
    child.send({ url, secrets: [...share] } satisfies ClientsOrder);
    await opened;
  };
  const end = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
        child.kill();
        await ended;
      }),
    );
  };
  const size = Math.ceil(secrets.length / processes);
  const shares = Array.from({ length: processes }, (_, index) => secrets.slice(index * size, (index + 1) * size));
  try {
    await Promise.all(shares.filter((share) => share.length > 0).map(start));
  } catch (error) {
    await end();
    throw error;
  }
  return { latencies, lost: () => lost, end };
}

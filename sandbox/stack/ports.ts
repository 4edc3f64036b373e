import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { PORT_VARIABLES } from '../../config/variables.ts';
import { UserError } from '../../domain/user-error.ts';

/** Ports for findFreePorts. Linux takes local ports from 32768 on, macOS and Windows from 49152 on. */
const FIRST_PORT = 12_000;
const FIRST_OUTGOING_PORT = 32_768;
/** A process takes so many at a time. It listens on the first of them for as long as it runs, which keeps other processes away. */
const BLOCK_SIZE = 50;
const BLOCKS = Math.floor((FIRST_OUTGOING_PORT - FIRST_PORT) / BLOCK_SIZE);

const LOOPBACK = '127.0.0.1';

/** Where a server listens. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
}

export interface NamedPort {
  readonly port: number;
  /** The variable that sets it. */
  readonly variable: string;
}

/**
 * Checks that nothing listens on these ports. The package get-port cannot: it answers with another port, also for one that it has
 * found itself a moment ago.
 * @throws UserError naming every port that another program uses
 */
export async function checkPortsAreFree(ports: readonly NamedPort[]): Promise<void> {
  const results = await Promise.all(ports.map(async (named) => ({ ...named, free: await isFree(named.port) })));
  const taken = results.filter(({ free }) => !free);
  if (taken.length === 0) return;
  throw new UserError(
    [
      ...taken.map(
        ({ port, variable }) =>
          `Port ${port} is in use by another program. Stop that, or choose another port: ${variable}=…`,
      ),
      ...(taken.length > 1 ? ['PORT_OFFSET=100 adds 100 to the port of every server.'] : []),
    ].join('\n'),
  );
}

/** The ports of this process's blocks that it has not given out. */
const left: number[] = [];

/**
 * Finds so many ports that nothing uses at the moment, and that this function gives to nobody else while this process runs. They lie
 * below the range from which Linux, macOS and Windows take the local ports of outgoing connections: a port from that range can be
 * taken between this call and the start, or restart, of its server.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = left.shift();
    if (port === undefined) left.push(...(await takeBlock()));
    else if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function takeBlock(): Promise<number[]> {
  for (;;) {
    const first = FIRST_PORT + BLOCK_SIZE * randomInt(BLOCKS);
    const guard = createServer();
    try {
      await listen(guard, { host: LOOPBACK, port: first });
      guard.unref();
      return Array.from({ length: BLOCK_SIZE - 1 }, (_, index) => first + 1 + index);
    } catch {
      guard.close();
    }
  }
}

/** Where the worker of `npm start` serves its health and its metrics, unless another program has that port. */
const WORKER_PORT = 3_002;

/** A port for the worker: if the usual one is taken, another one will do. */
export async function findWorkerPort(): Promise<number> {
  if (await isFree(WORKER_PORT)) return WORKER_PORT;
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Finds a free port for each variable that sets a port of `npm start`. */
export async function findFreePortVariables(): Promise<Readonly<Record<string, string>>> {
  const ports = await findFreePorts(PORT_VARIABLES.length);
  return Object.fromEntries(PORT_VARIABLES.map((name, index) => [name, String(ports[index])]));
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, { host: LOOPBACK, port });
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Resolves once the server listens. @throws Error where it cannot, for example because the port is in use */
export function listen(server: Server, place: ListeningPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

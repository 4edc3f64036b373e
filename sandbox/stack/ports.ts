import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PORT_VARIABLES } from '../../config/variables.ts';
import { UserError } from '../../domain/user-error.ts';

/** Ports for findFreePorts. Linux takes local ports from 32768 on, macOS and Windows from 49152 on. */
const FIRST_PORT = 12_000;
const FIRST_OUTGOING_PORT = 32_768;

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
    taken
      .map(
        ({ port, variable }) =>
          `Port ${port} is in use by another program. Stop that, or choose another port: ${variable}=…`,
      )
      .join('\n'),
  );
}

/**
 * Finds so many ports that nothing uses at the moment. They lie below the range from which Linux, macOS and Windows take the local
 * ports of outgoing connections: a port from that range can be taken between this call and the start, or restart, of its server.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, FIRST_OUTGOING_PORT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
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
    await listen(server, port);
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

import { createServer } from 'node:net';
import { PORT_VARIABLES } from '../../config/variables.ts';
import { UserError } from '../../domain/user-error.ts';

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

/** Finds so many ports that nothing uses at the moment. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map((server) => listen(server, 0)));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
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

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

import type { Server } from 'node:http';
import type { ServerConfig } from '../../config/engine.ts';
import { ConfigError } from '../../config/read-variables.ts';
import { UserError } from '../../domain/user-error.ts';
import { drainServer } from './server.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface ServedProcess {
  /** Printed when the process is ready. */
  readonly name: string;
  /** The environment variable of its port. */
  readonly portVariable: string;
  readonly config: Pick<ServerConfig, 'host' | 'port' | 'tls'>;
  readonly server: Server;
  /** The sockets that it serves; null where it serves none. */
  readonly gateway: { close(): Promise<void> } | null;
}

/**
 * Listens, prints that it is ready, serves until it is asked to stop, and drains.
 * @throws ConfigError when the port is taken
 */
export async function serveUntilStopped({ name, portVariable, config, server, gateway }: ServedProcess): Promise<void> {
  await listen(server, config, portVariable);
  // A program that reads the line may stop the process at once.
  const stopped = stopRequested();
  for (const signal of STOP_SIGNALS) process.off(signal, exitAtOnce);
  process.stdout.write(`${name} listening on ${addressOf(config)}\n`);
  await stopped;
  await Promise.all([drainServer(server), gateway?.close()]);
}

/** Runs a process to its end: on failure it prints a message and exits with code 1. */
export function runProcess(name: string, main: () => Promise<void>): void {
  // Without handlers the first process of a container would ignore the signals until it listens.
  for (const signal of STOP_SIGNALS) process.on(signal, exitAtOnce);
  // The parent process may have ended; its closed pipe must not cut requests in flight.
  process.stdout.on('error', () => undefined);
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      const message = error instanceof UserError ? error.message : `${name} stopped: ${String(error)}`;
      process.stderr.write(`${message}\n`);
      process.exit(1);
    },
  );
}

function listen(server: Server, { host, port }: ServedProcess['config'], variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = `${variable} ${port} on ${host} is in use; stop what listens there or set ${variable} to another one.`;
      reject(isTaken ? new ConfigError(message) : error);
    });
    server.listen({ host, port }, () => resolve());
  });
}

function addressOf({ tls, host, port }: ServedProcess['config']): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Resolves at a signal to stop, or when the process that started this one is gone. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of [...STOP_SIGNALS, 'disconnect']) process.on(event, () => resolve());
  });
}

/** While a process starts there is nothing to finish. */
function exitAtOnce(): void {
  process.exit(0);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import { hostnameOf, isLoopback } from '../domain/ip-address.ts';
import { messageOf } from '../domain/message-of.ts';
import { UserError } from '../domain/user-error.ts';
import { SECOND_MS } from '../domain/time.ts';
import { connectionOptions, type TemporalServer } from '../workflow-client/connection.ts';
import { registerSearchAttributes } from '../workflow-client/register-search-attributes.ts';

const TRY_EVERY_MS = 200;
const GIVE_UP_AFTER_MS = 45 * SECOND_MS;

/**
 * Connects to Temporal and registers the search attributes. Worker and server are often started together, so this retries for
 * 45 s while the server does not answer.
 * @throws UserError with the last failure when it still does not answer
 */
export async function connectWithRetries(server: TemporalServer): Promise<NativeConnection> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await connect(server);
    } catch (error) {
      if (Date.now() > deadline) throw new UserError(explain(error, server.address));
      await sleep(TRY_EVERY_MS);
    }
  }
}

/** How a worker connects. On one machine there is no network to save, so its calls are not compressed. */
export function workerConnectionOptions(server: Omit<TemporalServer, 'namespace'>): NativeConnectionOptions {
  const options = connectionOptions(server);
  return isLoopback(hostnameOf(server.address)) ? { ...options, grpcCompression: { codec: 'none' } } : options;
}

async function connect(server: TemporalServer): Promise<NativeConnection> {
  const connection = await NativeConnection.connect(workerConnectionOptions(server));
  try {
    await registerSearchAttributes(connection, server.namespace);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function explain(error: unknown, address: string): string {
  const advice = 'Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TLS settings, and that the server runs.';
  return `Temporal at ${address} does not answer (${messageOf(error)}). ${advice}`;
}

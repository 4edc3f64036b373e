import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { UserError } from '../domain/user-error.ts';
import { SECOND_MS } from '../domain/time.ts';
import { registerSearchAttributes } from '../workflows/client/register-search-attributes.ts';

export interface TemporalPlace {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
}

const TRY_EVERY_MS = 200;
const GIVE_UP_AFTER_MS = 45 * SECOND_MS;

/**
 * Connects and makes the search attributes known. Worker and server are often started together, so a server that does not
 * answer yet is asked again for a while.
 * @throws UserError with the last failure when it still does not answer
 */
export async function connectPatiently({ address, namespace }: TemporalPlace): Promise<NativeConnection> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await connect(address, namespace);
    } catch (error) {
      if (Date.now() > deadline) throw new UserError(sentenceOf(error, address));
      await sleep(TRY_EVERY_MS);
    }
  }
}

async function connect(address: string, namespace: string): Promise<NativeConnection> {
  const connection = await NativeConnection.connect({ address });
  try {
    await registerSearchAttributes(connection, namespace);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function sentenceOf(error: unknown, address: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, and that the server runs.';
  return `Temporal at ${address} does not answer (${reason}). ${advice}`;
}

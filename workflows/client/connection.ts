import { Client, Connection } from '@temporalio/client';
import { SECOND_MS } from '../../domain/time.ts';

export interface TemporalAddress {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
}

/** By default the pauses between two tries to connect grow to two minutes, long after Temporal may be back. */
const RECONNECTING = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2 * SECOND_MS,
};

/** A client of Temporal that connects at its first call, so that a process can start while Temporal is unavailable. */
export function createTemporalClient({ address, namespace }: TemporalAddress): Client {
  return new Client({ connection: Connection.lazy({ address, channelArgs: RECONNECTING }), namespace });
}

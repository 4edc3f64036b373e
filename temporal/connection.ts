import { Client, Connection } from '@temporalio/client';

export interface TemporalAddress {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
}

/** A client of Temporal that connects at its first call, so that a process starts though Temporal is away. */
export function createTemporalClient({ address, namespace }: TemporalAddress): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace });
}

import type { Duplex } from 'node:stream';
import { ERROR_CATALOGUE } from '../domain/error-catalogue.ts';
import type { CloseReason } from './close-codes.ts';
import type { Connection } from './connection.ts';
import { type CountedRejection, type Rejection, rejectSocket } from './refuse-on-socket.ts';

export interface RejectionOptions {
  /** What every answer of the server carries, those to requests for sockets included; default: nothing. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Counts what a client at an address is refused for a fault of its own; default: nothing is counted. */
  readonly countRejection?: (address: string) => Promise<CountedRejection>;
}

/** What the service itself cannot do is no fault of the client, and is not counted. */
export async function rejectUpgrade(
  { countRejection: countRejection, headers = () => ({}) }: RejectionOptions,
  address: string,
  socket: Duplex,
  refusal: Rejection,
): Promise<void> {
  const isCounted = countRejection !== undefined && ERROR_CATALOGUE[refusal.code].status < 500;
  const counted = isCounted ? await countRejection(address) : { headers: headers(), exceeded: null };
  const said = counted.exceeded ?? refusal;
  rejectSocket(socket, { ...said, headers: { ...counted.headers, ...said.headers } });
}

/** Closes the socket of a client for a fault of its own; with another code when there were too many such. */
export async function rejectSubscription(
  { countRejection: countRejection }: RejectionOptions,
  address: string,
  connection: Connection,
  reason: CloseReason,
): Promise<void> {
  const counted = await countRejection?.(address);
  connection.close(counted?.exceeded ? 'tooManyRejections' : reason);
}

import type { RejectionOptions } from '../http/rejection.ts';
import type { CloseReason, Connection } from './connection.ts';

/** Closes a socket for a fault of its client; with another close code when the limit is exceeded. */
export async function rejectSubscription(
  { countRejection }: RejectionOptions,
  address: string,
  connection: Connection,
  reason: CloseReason,
): Promise<void> {
  const counted = await countRejection(address);
  connection.close(counted.exceeded ? 'tooManyRejections' : reason);
}

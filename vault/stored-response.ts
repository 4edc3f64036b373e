import type { IdempotencyKey } from '../prisma/queries/idempotency.ts';
import type { SealContext } from './keyring.ts';

/** Where the response that is stored under an idempotency key belongs. */
export function storedResponseContext({ merchantAccountId, environment, key }: IdempotencyKey): SealContext {
  const associatedData = JSON.stringify(['idempotency_record', merchantAccountId, environment, key]);
  return { purpose: 'storedResponse', environment, associatedData };
}

import type { IdempotencyKey } from '../prisma/queries/idempotency.ts';
import type { SealContext } from './keyring.ts';

/** The context to which the response under an idempotency key is bound. */
export function storedResponseContext({ merchantAccountId, environment, key }: IdempotencyKey): SealContext {
  const associatedData = JSON.stringify(['idempotency_record', merchantAccountId, environment, key]);
  return { purpose: 'storedResponse', environment, associatedData };
}

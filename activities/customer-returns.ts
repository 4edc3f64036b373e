import type { Database } from '../prisma/connection/client.ts';
import { beginCompletion, closeCompletion } from '../prisma/queries/customer-return.ts';
import type { CustomerReturn } from '../providers/payment-provider.ts';
import { openReturnResult, returnUrlOf } from '../vault/customer-return.ts';
import type { Keyring } from '../vault/keyring.ts';

/** What providers need whose customers come back with a result. */
export interface CustomerReturns {
  /** Where the customer of an attempt comes back; null where the API has no public address. */
  urlOf(attemptId: string): string | null;
  /** Writes only when an activity that is about to call the provider asks it to. */
  ofAttempt(attemptId: string): CustomerReturn;
}

interface CustomerReturnsDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly keyring: Keyring;
  /** The origin of the API as customers see it; null where it has none. */
  readonly apiPublicUrl: string | null;
}

export function createCustomerReturns({
  database,
  keyring,
  apiPublicUrl,
}: CustomerReturnsDependencies): CustomerReturns {
  return {
    urlOf: (attemptId) => (apiPublicUrl === null ? null : returnUrlOf(keyring, apiPublicUrl, attemptId)),
    ofAttempt: (attemptId) => ({
      async begin() {
        const begun = await database.direct.row(beginCompletion(attemptId));
        if (begun === undefined) return { status: 'none' };
        const { isClosed, environment, keyId, ciphertext } = begun;
        if (isClosed) return { status: 'closed' };
        if (keyId === null || ciphertext === null) return { status: 'none' };
        const result = openReturnResult(keyring, { attemptId, environment }, { keyId, ciphertext });
        return { status: 'returned', result };
      },
      close: async () => (await database.direct.row(closeCompletion(attemptId))) !== undefined,
    }),
  };
}

import { before } from 'mocha';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, type PaymentStore } from '../../prisma/stores/payment-store.ts';
import { useTestDatabase } from './database.ts';
import { insertMerchantAccount, insertPaymentIntent } from './payment-rows.ts';

/** A database of its own for a suite, with one merchant account. It exists while the tests run. */
export interface AccountFixture {
  readonly database: Database;
  readonly url: string;
  readonly store: PaymentStore;
  /** The id of the account. */
  readonly account: string;
  /** Puts an intent of the account into the database, see `insertPaymentIntent`; returns its id. */
  insertIntent(overrides?: Parameters<typeof insertPaymentIntent>[2]): Promise<string>;
}

/** Call it inside `describe`: the database is made before the tests of the suite, and dropped after them. */
export function useAccount(): AccountFixture {
  const test = useTestDatabase();
  let account: string;
  before(async () => {
    account = await insertMerchantAccount(test.database);
  });
  return {
    get database() {
      return test.database;
    },
    get url() {
      return test.url;
    },
    get store() {
      return createPaymentStore(test.database);
    },
    get account() {
      return account;
    },
    insertIntent: (overrides) => insertPaymentIntent(test.database, account, overrides),
  };
}

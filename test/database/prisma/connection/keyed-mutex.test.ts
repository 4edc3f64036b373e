import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createDatabase, type Database, transactionWithLock } from '../../../../prisma/connection/client.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { lockMerchant } from '../../../../prisma/queries/lock.ts';
import { integer, returning } from '../../../../prisma/connection/statement.ts';
import { createKeyedMutex, MutexTimeoutError } from '../../../../prisma/connection/keyed-mutex.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';

const LOCK = Prisma.sql`SELECT ${'one'}`;
const never = new Promise<void>(() => undefined);

describe('changes under the lock of one row', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let narrow: Database;

  before(async () => {
    test = await createTestDatabase();
    narrow = createDatabase({ url: test.url, poolSize: 2 });
  });
  after(async () => {
    await narrow.$disconnect();
    await test.close();
  });

  it('leave the connections to others while they wait, however many they are', async () => {
    const account = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: account } });
    let changes: Promise<unknown> = Promise.resolve();
    await test.database.$transaction(async (transaction) => {
      await transaction.$executeRaw(lockMerchant(merchantId));
      changes = Promise.all(
        Array.from({ length: 10 }, () =>
          transactionWithLock(narrow, lockMerchant(merchantId), (own) => own.merchantAccount.count()),
        ),
      );
      const statement = narrow.direct.rowsLocked(
        lockMerchant(merchantId),
        returning({ one: integer })`SELECT 1 AS one`,
      );
      changes = Promise.all([changes, statement]);
      // With each waiting change on a connection of its own, there would be none left for this.
      assert.ok((await narrow.merchantAccount.count()) > 0);
    });
    await changes;
  });

  it('are made one after the other, also after one that fails', async () => {
    const runExclusive = createKeyedMutex();
    const made: string[] = [];
    const failing = runExclusive(LOCK, () => Promise.reject(new Error('refused')));
    const second = runExclusive(LOCK, async () => void made.push('second'));
    const third = runExclusive(LOCK, async () => void made.push('third'));
    const other = runExclusive(Prisma.sql`SELECT ${'two'}`, async () => void made.push('other'));
    await assert.rejects(failing, /refused/);
    await Promise.all([second, third, other]);
    assert.deepEqual(made, ['other', 'second', 'third']);
  });

  it('are given up where others with the lock take too long, and the others are not', async () => {
    const runExclusive = createKeyedMutex(5);
    void runExclusive(LOCK, () => never);
    const late = [runExclusive(LOCK, () => Promise.resolve()), runExclusive(LOCK, () => Promise.resolve())];
    for (const each of late) await assert.rejects(each, MutexTimeoutError);
    assert.equal(await runExclusive(Prisma.sql`SELECT ${'two'}`, () => Promise.resolve('done')), 'done');
  });
});

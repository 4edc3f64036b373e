import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toApiError } from '../../../http/errors.ts';
import { newId } from '../../../domain/new-id.ts';
import { createDatabase, type Database, transactionWithLock } from '../../../prisma/connection/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { useTestDatabase } from '../../support/database.ts';

describe('errors of the database', function () {
  this.timeout(30_000);
  const test = useTestDatabase();
  const LOCK = Prisma.sql`SELECT 1 AS locked FROM merchant LIMIT 1`;
  const INSERT = Prisma.sql`INSERT INTO merchant (id, name) VALUES ('m', 'shop')`;
  const create = (database: Pick<Database, 'merchant'>) =>
    database.merchant.create({ data: { id: newId('merchant'), name: 'shop' } });

  const assertUnavailable = async (...writes: readonly Promise<unknown>[]): Promise<void> => {
    const results = await Promise.allSettled(writes);
    const codes = results.map((result) => (result.status === 'rejected' ? toApiError(result.reason).code : 'written'));
    assert.deepEqual(new Set(codes), new Set(['SERVICE_UNAVAILABLE']));
  };

  it('say that it is unavailable while it is read-only', async () => {
    const url = `${test.url}?options=-c%20default_transaction_read_only%3Don`;
    const standby = createDatabase({ url, poolSize: 1 });
    try {
      await assertUnavailable(
        create(standby),
        standby.direct.execute(INSERT),
        transactionWithLock(standby, LOCK, (transaction) => create(transaction)),
      );
    } finally {
      await standby.$disconnect();
    }
  });

  it('say that it is unavailable if it restarts between two statements of a transaction', async () => {
    await assertUnavailable(
      transactionWithLock(test.database, LOCK, async (transaction) => {
        await test.cutConnections();
        return create(transaction);
      }),
    );
  });
});

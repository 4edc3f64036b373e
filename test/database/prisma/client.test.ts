import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createDatabase, type Database } from '../../../prisma/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('a client of the database', function () {
  this.timeout(30_000);
  let test: TestDatabase;
  let narrow: Database;

  before(async () => {
    test = await createTestDatabase();
    narrow = createDatabase({ url: test.url, poolSize: 1 });
  });
  after(async () => {
    await narrow.$disconnect();
    await test.close();
  });

  it('lets a transaction wait for a connection that is busy for seconds', async () => {
    const [, accounts] = await Promise.all([
      narrow.$queryRaw`SELECT pg_sleep(3)::text`,
      narrow.$transaction((transaction) => transaction.merchantAccount.count()),
    ]);
    assert.equal(accounts, 0);
  });
});

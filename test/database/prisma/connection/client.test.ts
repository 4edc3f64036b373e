import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createDatabase, type Database } from '../../../../prisma/connection/client.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { timestamp } from '../../../../prisma/connection/statement.ts';
import { createTestDatabase, runStatement, type TestDatabase } from '../../../support/database.ts';

const TIMES = { read: timestamp, written: timestamp };

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
    // The transaction's limit of five seconds includes the time to connect.
    await narrow.$queryRaw`SELECT 1`;
    const [, accounts] = await Promise.all([
      narrow.$queryRaw`SELECT pg_sleep(3)::text`,
      narrow.$transaction((transaction) => transaction.merchantAccount.count()),
    ]);
    assert.equal(accounts, 0);
  });

  it('reads and writes the same times on a server with another time zone and another style of dates', async () => {
    const name = new URL(test.url).pathname.slice(1);
    await runStatement(test.url, `ALTER DATABASE ${name} SET timezone = 'Asia/Kolkata'`);
    await runStatement(test.url, `ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
    const elsewhere = createDatabase({ url: test.url, poolSize: 1 });
    try {
      const at = new Date('2026-11-26T21:45:00.500Z');
      const statement = Prisma.sql`SELECT to_timestamp(${at.getTime() / 1_000}) AS read, ${at}::timestamptz AS written`;
      assert.deepEqual(await elsewhere.$queryRaw(statement), [{ read: at, written: at }]);
      assert.deepEqual(await elsewhere.direct.rows({ sql: statement, columns: TIMES }), [{ read: at, written: at }]);
    } finally {
      await elsewhere.$disconnect();
    }
  });
});

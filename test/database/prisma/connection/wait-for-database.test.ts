import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { UserError } from '../../../../domain/user-error.ts';
import { waitForDatabase } from '../../../../prisma/connection/wait-for-database.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

const PASSWORD = 'not-the-password';

describe('waitForDatabase', function () {
  this.timeout(60_000);
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  function addressWith(change: (url: URL) => void): string {
    const url = new URL(database.url);
    change(url);
    return url.href;
  }

  it('returns once the database answers', async () => {
    await waitForDatabase(database.url);
  });

  const refusals: readonly (readonly [string, (url: URL) => void, RegExp])[] = [
    ['a wrong password', (url) => (url.password = PASSWORD), /refuses the user or the password.*DATABASE_URL/],
    ['an unknown database', (url) => (url.pathname = 'nowhere'), /DATABASE_URL names\. Create it/],
    ['a port where nothing listens', (url) => (url.port = '1'), /127\.0\.0\.1:1 does not answer.*DATABASE_URL/],
    ['a database without tables', (url) => (url.pathname = 'postgres'), /no tables yet.*npm run migrate/],
  ];
  for (const [title, change, expected] of refusals) {
    it(`throws a user error at ${title}, without the password`, async () => {
      const address = addressWith(change);
      await assert.rejects(waitForDatabase(address, { giveUpAfterMs: 0 }), (error: unknown) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, expected);
        assert.ok(!error.message.includes(new URL(address).password));
        return true;
      });
    });
  }
});

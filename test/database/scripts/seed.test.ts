import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SANDBOX_API_KEY_ID } from '../../../sandbox/stack/sandbox-data.ts';
import { seedSandbox } from '../../../sandbox/stack/write-sandbox-data.ts';
import { useTestDatabase } from '../../support/database.ts';

const CREDENTIALS = { apiKey: 'svc_test_0123456789abcdef0123456789abcdef', secretSalt: 'salt' };

describe("the sandbox's rows", () => {
  const test = useTestDatabase();

  it('say whether their key was revoked, and how to get another one', async () => {
    assert.equal(await seedSandbox(test.database, CREDENTIALS), null);
    assert.equal(await seedSandbox(test.database, CREDENTIALS), null);
    const revokedAt = new Date('2026-01-02T03:04:05Z');
    await test.database.apiKey.update({ where: { id: SANDBOX_API_KEY_ID }, data: { revokedAt } });
    const problem = await seedSandbox(test.database, CREDENTIALS);
    assert.match(
      problem ?? '',
      /revoked at 2026-01-02T03:04:05.*npm run merchant -- key mer_\w+.*npm start -- --fresh/,
    );
  });
});

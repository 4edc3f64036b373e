import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAXIMUM_LIVE_KEYS } from '../../../accounts/api-keys/issue.ts';
import { findCredentials } from '../../../http/authentication/credentials.ts';
import { ALL_SCOPES } from '../../../domain/scopes.ts';
import { createKey, createMerchant, listAccounts, setStatus } from '../../../scripts/manage-merchants.ts';
import { VERSION_2 } from '../../support/signature-version.ts';
import { useTestDatabase } from '../../support/database.ts';

describe('the merchant command', () => {
  const test = useTestDatabase();

  for (const environment of ['sandbox', 'production'] as const) {
    it(`creates a merchant of the ${environment} whose first key, and a further one, has every scope`, async () => {
      const merchant = { name: 'Shop', environment, account: 'Main', withSandboxRoutes: environment === 'sandbox' };
      const first = await createMerchant(test.database, merchant, VERSION_2);
      const further = await createKey(test.database, first.merchantAccountId, VERSION_2);
      for (const { apiKey } of [first, further]) {
        const credentials = await findCredentials(test.database, apiKey, undefined);
        assert.equal(credentials?.environment, environment);
        assert.equal(credentials.merchantAccountId, first.merchantAccountId);
        assert.deepEqual(credentials.scopes, ALL_SCOPES);
      }
      await setStatus(test.database, first.merchantAccountId, 'suspended');
      const suspended = await findCredentials(test.database, first.apiKey, undefined);
      assert.equal(suspended?.merchantAccountStatus, 'suspended');
    });
  }

  it('creates no more keys than the limit of an account, and says what to do', async () => {
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    const { merchantAccountId } = await createMerchant(test.database, merchant, VERSION_2);
    const keys = () => test.database.apiKey.count({ where: { merchantAccountId } });
    while ((await keys()) < MAXIMUM_LIVE_KEYS) await createKey(test.database, merchantAccountId, VERSION_2);
    await assert.rejects(
      createKey(test.database, merchantAccountId, VERSION_2),
      /at most 100 live API keys.* Revoke one/,
    );
    assert.equal(await keys(), MAXIMUM_LIVE_KEYS);
  });

  it('lists every account once, whatever the page size', async () => {
    const known = await test.database.merchantAccount.findMany({ orderBy: [{ merchantId: 'asc' }, { id: 'asc' }] });
    for (const batchSize of [1, 2, 500]) {
      const listed: string[] = [];
      for await (const { id } of listAccounts(test.database, batchSize)) listed.push(id);
      assert.deepEqual(
        listed,
        known.map(({ id }) => id),
      );
    }
  });

  it('rejects unknown accounts, and sandbox routes in production', async () => {
    await assert.rejects(setStatus(test.database, 'mer_none', 'active'), /no merchant account/);
    await assert.rejects(createKey(test.database, 'mer_none', VERSION_2), /no merchant account/);
    const merchant = { name: 'Shop', environment: 'production', account: 'Main', withSandboxRoutes: true } as const;
    await assert.rejects(createMerchant(test.database, merchant, VERSION_2), /sandbox only/);
  });
});

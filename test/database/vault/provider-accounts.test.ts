import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { rotateCredentials, updateAccount } from '../../../api/resources/provider-accounts/write.ts';
import { providerAccountIdOf } from '../../../domain/provider-account.ts';
import { newUniquePart } from '../../../domain/new-id.ts';
import { createProviderKinds } from '../../../providers/kinds-of-providers.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { createProviderAccounts } from '../../../vault/provider-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { insertMerchantAccount } from '../../support/payment-rows.ts';
import {
  accountAccess,
  ACCOUNTS_KEYRING as keyring,
  insertProviderAccount,
  SIMULATOR_ACCOUNT,
  SIMULATOR_KINDS as kinds,
} from '../../support/provider-accounts.ts';

describe('accounts at providers, as providers of payments', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let merchantAccountId: string;

  before(async () => {
    test = await createTestDatabase();
    merchantAccountId = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  const lookup = () => createProviderAccounts({ database: test.database, keyring, kinds });

  it('are kept until their row changes, in any process', async () => {
    const id = await insertProviderAccount(test.database, merchantAccountId);
    const accounts = lookup();
    const first = await accounts.find(id);
    assert.equal(first?.name, id);
    assert.equal(await accounts.find(id), first);
    const { dependencies, principal } = await accountAccess(test.database, merchantAccountId);
    const { credentials } = SIMULATOR_ACCOUNT;
    await rotateCredentials(dependencies, principal, { id, credentials: { ...credentials, apiKey: 'another-key' } });
    assert.notEqual(await accounts.find(id), first);
  });

  it('are found while they are disabled, for payments that are under way', async () => {
    const id = await insertProviderAccount(test.database, merchantAccountId);
    const { dependencies, principal } = await accountAccess(test.database, merchantAccountId);
    await updateAccount(dependencies, principal, { id, fields: { status: 'disabled' } });
    assert.equal((await lookup().find(id))?.name, id);
  });

  it('are not found by another text than the id of one, nor where their kind is not configured', async () => {
    for (const id of ['alpha', '', `stripe_${'0'.repeat(31)}`, providerAccountIdOf('simulator', newUniquePart())]) {
      assert.equal(await lookup().find(id), undefined);
    }
    const id = await insertProviderAccount(test.database, merchantAccountId);
    const none = createProviderKinds({ apiUrls: new Map(), timeoutMs: 1_000, allowSimulatorInProduction: true });
    assert.equal(await createProviderAccounts({ database: test.database, keyring, kinds: none }).find(id), undefined);
  });

  it('have credentials that only their own row can have', async () => {
    const [id, other] = await Promise.all([1, 2].map(() => insertProviderAccount(test.database, merchantAccountId)));
    assert.ok(id && other);
    const { credentialsKeyId, credentialsCiphertext } = await test.database.providerAccount.findUniqueOrThrow({
      where: { id: other },
    });
    assert.ok(!Buffer.from(credentialsCiphertext).includes(SIMULATOR_ACCOUNT.credentials.apiKey));
    await test.database.providerAccount.update({ where: { id }, data: { credentialsKeyId, credentialsCiphertext } });
    await assert.rejects(lookup().find(id), SealBrokenError);
  });
});

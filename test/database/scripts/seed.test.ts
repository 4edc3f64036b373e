import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SANDBOX_API_KEY_ID } from '../../../sandbox/stack/sandbox-data.ts';
import { seedSandbox } from '../../../sandbox/stack/write-sandbox-data.ts';
import { openKeySalt } from '../../../vault/key-salt.ts';
import { useTestDatabase } from '../../support/database.ts';
import { VERSION_2 } from '../../support/signature-version.ts';

const CREDENTIALS = { apiKey: 'svc_test_0123456789abcdef0123456789abcdef', secretSalt: 'salt' };
const { keyring: KEYRING } = VERSION_2;

describe("the sandbox's rows", () => {
  const test = useTestDatabase();

  it('have a key on signature version 2, also where an earlier start wrote one on version 1', async () => {
    const where = { id: SANDBOX_API_KEY_ID };
    await seedSandbox(test.database, CREDENTIALS, KEYRING);
    const onVersion1 = { signatureVersion: 1, saltHash: 'x', saltKeyId: null, saltCiphertext: null };
    await test.database.apiKey.update({ where, data: onVersion1 });
    await seedSandbox(test.database, CREDENTIALS, KEYRING);
    const { signatureVersion, saltHash, saltKeyId, saltCiphertext } = await test.database.apiKey.findUniqueOrThrow({
      where,
    });
    assert.deepEqual([signatureVersion, saltHash], [2, '']);
    assert.ok(saltKeyId !== null && saltCiphertext !== null);
    const sealed = { keyId: saltKeyId, ciphertext: Buffer.from(saltCiphertext) };
    const owner = { apiKeyId: SANDBOX_API_KEY_ID, environment: 'sandbox' } as const;
    assert.equal(openKeySalt(KEYRING, owner, sealed), CREDENTIALS.secretSalt);
  });

  it('say whether their key was revoked, and how to get another one', async () => {
    assert.equal(await seedSandbox(test.database, CREDENTIALS, KEYRING), null);
    assert.equal(await seedSandbox(test.database, CREDENTIALS, KEYRING), null);
    const revokedAt = new Date('2026-01-02T03:04:05Z');
    await test.database.apiKey.update({ where: { id: SANDBOX_API_KEY_ID }, data: { revokedAt } });
    const problem = await seedSandbox(test.database, CREDENTIALS, KEYRING);
    assert.match(
      problem ?? '',
      /revoked at 2026-01-02T03:04:05.*npm run merchant -- key mer_\w+.*npm start -- --fresh/,
    );
  });
});

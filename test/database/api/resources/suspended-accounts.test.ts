import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { findCredentials } from '../../../../http/authentication/credentials.ts';
import type { Principal } from '../../../../domain/principal.ts';
import { presentMerchantAccount } from '../../../../contract/presenters/merchant-account.ts';
import { insertAccount, setAccountStatus } from '../../../../accounts/merchants/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { createKey, createMerchant, setStatus } from '../../../../scripts/manage-merchants.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { principalWith } from '../../../support/principal.ts';
import { VERSION_1 } from '../../../support/signature-version.ts';

describe('suspended merchant accounts', () => {
  const test = useTestDatabase();
  let id: string;
  let apiKey: string;
  let scope: Principal;

  beforeEach(async () => {
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    ({ merchantAccountId: id, apiKey } = await createMerchant(test.database, merchant, VERSION_1));
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id } });
    scope = principalWith({ merchantId, merchantAccountId: id });
  });

  const read = async () => {
    const { status, suspendedBy } = presentMerchantAccount(
      await test.database.merchantAccount.findUniqueOrThrow({ where: { id } }),
    );
    return [status, suspendedBy];
  };
  const byMerchant = (status: 'active' | 'suspended') => setAccountStatus(test.database, scope, { id, status });

  it('are activated by their merchant, if it suspended them', async () => {
    assert.deepEqual(await read(), ['active', null]);
    await byMerchant('suspended');
    assert.deepEqual(await read(), ['suspended', 'merchant']);
    await byMerchant('active');
    assert.deepEqual(await read(), ['active', null]);
  });

  it('are activated by the platform only, if it suspended them', async () => {
    await byMerchant('suspended');
    await setStatus(test.database, id, 'suspended');
    assert.deepEqual(await read(), ['suspended', 'platform']);
    await assert.rejects(byMerchant('active'), {
      code: 'STATE_CONFLICT',
      message: /only the platform can activate it/,
    });
    await byMerchant('suspended');
    assert.deepEqual(await read(), ['suspended', 'platform']);
    await setStatus(test.database, id, 'active');
    assert.deepEqual(await read(), ['active', null]);
    await byMerchant('active');
  });

  it('have keys that act for no other account either', async () => {
    const fields = {
      name: 'Second',
      retryBudget: 5,
      refundWindowDays: 180,
      requireIdempotencyKeys: false,
      refundConfirmationAmount: null,
    };
    const other = await insertAccount(test.database, scope, { id: newId('merchantAccount'), fields });
    const { apiKey: keyOfOther } = await createKey(test.database, other.id, VERSION_1);
    const ownAccountIsActive = async (key: string) =>
      (await findCredentials(test.database, key, other.id))?.isOwnAccountActive;
    assert.equal(await ownAccountIsActive(apiKey), true);
    await setStatus(test.database, id, 'suspended');
    assert.equal(await ownAccountIsActive(apiKey), false);
    assert.equal(await ownAccountIsActive(keyOfOther), true);
    assert.equal((await findCredentials(test.database, keyOfOther, id))?.merchantAccountStatus, 'suspended');
  });
});

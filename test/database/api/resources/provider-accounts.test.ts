import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { insertAccount, rotateCredentials } from '../../../../accounts/provider-accounts/write.ts';
import { ENVIRONMENTS } from '../../../../domain/payment.ts';
import { newUniquePart } from '../../../../domain/new-id.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { accountAccess } from '../../../support/provider-accounts.ts';
import { createTestKinds } from '../../../support/provider-kinds.ts';

const KEYS = { sandbox: 'sk_test_0123456789', production: 'sk_live_0123456789' } as const;

describe('accounts at Stripe', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  it('take no key of the other mode, with which payments would be real in the sandbox, or not real in production', async () => {
    const providerKinds = createTestKinds({
      apiUrls: new Map(),
      timeoutMs: 1_000,
      allowSimulatorInProduction: false,
    });
    const refused = { code: 'VALIDATION_ERROR', message: /of Stripe's (?:test|live) mode/ };
    for (const environment of ENVIRONMENTS) {
      const access = await accountAccess(test.database, await insertMerchantAccount(test.database, { environment }));
      const dependencies = { ...access.dependencies, providerKinds };
      const principal = { ...access.principal, environment };
      const credentialsFor = (mode: keyof typeof KEYS) => ({
        secretKey: KEYS[mode],
        webhookSecret: 'whsec_0123456789abcdef',
      });
      const insert = (mode: keyof typeof KEYS) =>
        insertAccount(dependencies, principal, {
          unique: newUniquePart(),
          fields: { kind: 'stripe', name: 'Cards', credentials: credentialsFor(mode) },
        });
      const other = environment === 'sandbox' ? 'production' : 'sandbox';
      await assert.rejects(insert(other), refused);
      const { id } = await insert(environment);
      const rotate = (mode: keyof typeof KEYS) =>
        rotateCredentials(dependencies, principal, { id, rotationId: 'rotation_1', credentials: credentialsFor(mode) });
      await assert.rejects(rotate(other), refused);
      await rotate(environment);
    }
  });
});

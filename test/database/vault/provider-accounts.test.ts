import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Webhook } from 'standardwebhooks';
import { authorizePayment } from '../../../activities/authorize-payment.ts';
import type { AuthorizePaymentRequest } from '../../../protocol/payment-activities.ts';
import { deleteAccount, rotateCredentials, updateAccount } from '../../../accounts/provider-accounts/write.ts';
import { providerAccountIdOf } from '../../../domain/provider-account.ts';
import { newId, newUniquePart } from '../../../domain/new-id.ts';
import { WebhookVerificationError } from '../../../providers/provider-errors.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { createProviderAccounts } from '../../../vault/provider-accounts.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { inActivity } from '../../support/activity-context.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import {
  accountAccess,
  ACCOUNTS_KEYRING as keyring,
  insertProviderAccount,
  SIMULATOR_ACCOUNT,
  SIMULATOR_KINDS as kinds,
} from '../../support/provider-accounts.ts';
import { insertRouteTo } from '../../support/payment-rows.ts';
import { IN_TIME, openAttemptOf, opening } from '../../support/payment-steps.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { createTestKinds } from '../../support/provider-kinds.ts';
import { memoryCustomers } from '../../support/customers-at-provider.ts';

const CARD = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: null,
  holderName: null,
} as const;

describe('accounts at providers, as providers of payments', function () {
  this.timeout(60_000);
  const test = useAccount();

  const lookup = () => createProviderAccounts({ database: test.database, keyring, kinds });

  it('are kept until their row changes, in any process', async () => {
    const id = await insertProviderAccount(test.database, test.account);
    const accounts = lookup();
    const first = await accounts.find(id);
    assert.equal(first?.name, id);
    assert.equal(await accounts.find(id), first);
    const { dependencies, principal } = await accountAccess(test.database, test.account);
    const { credentials } = SIMULATOR_ACCOUNT;
    await rotateCredentials(dependencies, principal, {
      id,
      rotationId: 'rotation_1',
      credentials: { ...credentials, apiKey: 'another-key' },
    });
    assert.notEqual(await accounts.find(id), first);
  });

  it('take webhooks of each earlier secret until its own overlap ends, in the API alone', async () => {
    const id = await insertProviderAccount(test.database, test.account);
    const { dependencies, principal } = await accountAccess(test.database, test.account);
    const credentialsOf = (number: number) => ({
      ...SIMULATOR_ACCOUNT.credentials,
      webhookSecret: `whsec_${Buffer.alloc(32, number).toString('base64')}`,
    });
    const rotate = (number: number, overlapSeconds: number) =>
      rotateCredentials(dependencies, principal, {
        id,
        rotationId: `rotation ${number}`,
        credentials: credentialsOf(number),
        overlapSeconds,
      });
    const takes = async (number: number, takesWebhooks = true) => {
      const accounts = createProviderAccounts({ database: test.database, keyring, kinds, takesWebhooks });
      const body = JSON.stringify({ id: 'evt_1', type: 'account.updated', data: {} });
      const at = new Date();
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(credentialsOf(number).webhookSecret).sign('evt_1', at, body),
      };
      const provider = await accounts.find(id);
      try {
        provider?.parseWebhook(Buffer.from(body), headers);
        return true;
      } catch (error) {
        assert.ok(error instanceof WebhookVerificationError);
        return false;
      }
    };
    await rotate(6, 0);
    assert.deepEqual([await takes(5), await takes(6)], [false, true]);
    await rotate(7, 3_600);
    // A repeat, as after an interruption, keeps what the first run has kept.
    await rotate(7, 3_600);
    await rotate(8, 60);
    assert.deepEqual([await takes(6), await takes(7), await takes(8), await takes(5)], [true, true, true, false]);
    assert.deepEqual([await takes(7, false), await takes(8, false)], [false, true]);
    await test.database.providerAccountPreviousCredentials.updateMany({
      where: { rotationId: 'rotation 8' },
      data: { expiresAt: new Date() },
    });
    assert.deepEqual([await takes(6), await takes(7)], [true, false]);
    await rotate(9, 0);
    assert.deepEqual([await takes(6), await takes(8)], [true, false]);
  });

  it('are found while they are disabled, for payments that are under way', async () => {
    const id = await insertProviderAccount(test.database, test.account);
    const { dependencies, principal } = await accountAccess(test.database, test.account);
    await updateAccount(dependencies, principal, { id, fields: { status: 'disabled' } });
    assert.equal((await lookup().find(id))?.name, id);
  });

  it('are not found by another text than the id of one, nor where their kind is not configured', async () => {
    for (const id of ['alpha', '', `stripe_${'0'.repeat(31)}`, providerAccountIdOf('simulator', newUniquePart())]) {
      assert.equal(await lookup().find(id), undefined);
    }
    const id = await insertProviderAccount(test.database, test.account);
    const none = createTestKinds({ apiUrls: new Map(), timeoutMs: 1_000, allowSimulatorInProduction: true });
    assert.equal(await createProviderAccounts({ database: test.database, keyring, kinds: none }).find(id), undefined);
  });

  it('have credentials that only their own row can have', async () => {
    const [id, other] = await Promise.all([1, 2].map(() => insertProviderAccount(test.database, test.account)));
    assert.ok(id && other);
    const { credentialsKeyId, credentialsCiphertext } = await test.database.providerAccount.findUniqueOrThrow({
      where: { id: other },
    });
    assert.ok(!Buffer.from(credentialsCiphertext).includes(SIMULATOR_ACCOUNT.credentials.apiKey));
    await test.database.providerAccount.update({ where: { id }, data: { credentialsKeyId, credentialsCiphertext } });
    await assert.rejects(lookup().find(id), SealBrokenError);
  });
});

describe('an account at a provider that is deleted or disabled', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** An account, its end, and the opening of an attempt at it. */
  const raceAt = async () => {
    const provider = await insertProviderAccount(test.database, test.account);
    const { dependencies, principal } = await accountAccess(test.database, test.account);
    const id = await test.insertIntent();
    const attempt = openAttemptOf(id, { provider, routeId: newId('paymentRoute') });
    await insertRouteTo(test.database, test.account, provider, attempt.routeId);
    const keys: string[] = [];
    const registry = registryOf({
      name: provider,
      authorize: ({ attemptId }) => {
        keys.push(attemptId);
        return Promise.resolve({ kind: 'pending', providerPaymentId: 'sim_1' });
      },
    });
    const request: AuthorizePaymentRequest = {
      paymentIntentId: id,
      knownVersion: 0,
      environment: 'sandbox',
      attempt,
      captureMethod: 'automatic',
      attemptBudget: 5,
      intention: opening(id, { attempts: [attempt] }),
      ...IN_TIME,
    };
    const calls = {
      payments: test.store,
      registry,
      reports: NO_REPORTS,
      returns: NO_RETURNS,
      loadPaymentMethod: () => Promise.resolve(CARD),
      customersAt: memoryCustomers,
    };
    return {
      keys,
      exists: async () => (await test.database.providerAccount.count({ where: { id: provider } })) > 0,
      isOpen: async () => (await test.database.paymentAttempt.count({ where: { paymentIntentId: id } })) > 0,
      remove: async () => {
        await test.database.paymentRoute.deleteMany({ where: { id: attempt.routeId } });
        return deleteAccount(dependencies, principal, provider);
      },
      disable: () => updateAccount(dependencies, principal, { id: provider, fields: { status: 'disabled' } }),
      authorize: (tries = 1) => inActivity(() => authorizePayment(calls, request), { attempt: tries }),
    };
  };

  for (const end of ['remove', 'disable'] as const) {
    it(`takes no attempt that was planned before, and no call is made there (${end})`, async () => {
      const { keys, isOpen, authorize, [end]: endAccount } = await raceAt();
      await endAccount();
      assert.equal((await authorize()).refusal, 'not_routable');
      assert.deepEqual([keys, await isOpen()], [[], false]);
    });
  }

  it('records an attempt without another call, if it was disabled, where an earlier try may have called', async () => {
    const { keys, isOpen, disable, authorize } = await raceAt();
    await disable();
    await assert.rejects(authorize(2), { type: 'TSP_TIMEOUT', nonRetryable: true });
    assert.deepEqual([keys.length, await isOpen()], [0, true]);
  });

  it('stays while an attempt is open there', async () => {
    const { keys, exists, remove, authorize } = await raceAt();
    await authorize();
    await assert.rejects(remove(), { code: 'STATE_CONFLICT' });
    assert.deepEqual([keys.length, await exists()], [1, true]);
  });

  it('is either deleted or has the attempt, where both begin at once', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { keys, exists, isOpen, remove, authorize } = await raceAt();
      await Promise.allSettled([remove(), authorize()]);
      const kept = await exists();
      assert.deepEqual([await isOpen(), keys.length], [kept, kept ? 1 : 0]);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { maintainCredentials } from '../../../activities/maintain-credentials.ts';
import { removeSavedMethod } from '../../../api/resources/payment-methods/stored-method.ts';
import type { CredentialRemoval, PaymentProvider } from '../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { openSavedCredential } from '../../../vault/saved-credential.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { inActivity } from '../../support/activity-context.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { insertCustomer, SAVED_CARD_KEYRING, saveCard } from '../../support/saved-cards.ts';

const TOKEN = 'tok_very_secret';
const ISSUED = {
  token: TOKEN,
  providerCustomerId: 'cus_very_secret',
  networkTransaction: { id: 'ntid_very_secret', linkId: null },
};

describe("the providers' tokens of a saved payment method", function () {
  this.timeout(60_000);
  const test = useAccount();
  const scope = () => ({ merchantAccountId: test.account, environment: 'sandbox' }) as const;

  const saved = async (storesNumber = true): Promise<string> => {
    const customerId = await insertCustomer(test.database, test.account);
    await saveCard(test.database, test.account, { customerId, storesNumber });
    const { id } = await test.database.savedPaymentMethod.findFirstOrThrow({ where: { customerId } });
    return id;
  };
  const maintain = (savedPaymentMethodId: string, answers: Partial<PaymentProvider>) =>
    inActivity(() =>
      maintainCredentials(
        { database: test.database, registry: registryOf(answers), keyring: SAVED_CARD_KEYRING },
        { savedPaymentMethodId, ...scope() },
      ),
    );
  const rowOf = (id: string) =>
    test.database.savedPaymentMethod.findUniqueOrThrow({ where: { id }, include: { credentials: true } });
  const eventTypesOf = async (resourceId: string) =>
    (await test.database.event.findMany({ where: { resourceId }, orderBy: { insertion: 'asc' } })).map(
      ({ type }) => type,
    );

  it('are read and stored sealed, once the payment is approved', async () => {
    const id = await saved();
    const asked: string[] = [];
    const result = await maintain(id, {
      readCredential: async ({ attemptId }) => {
        asked.push(attemptId);
        return ISSUED;
      },
    });
    assert.deepEqual(result, { kind: 'completed', providers: ['alpha'] });
    const { nextDueAt, credentials } = await rowOf(id);
    const [credential] = credentials;
    assert.ok(credential?.keyId != null && credential.ciphertext !== null && nextDueAt === null);
    assert.deepEqual([credential.status, credential.hasNetworkTransactionId], ['active', true]);
    assert.deepEqual(asked, [credential.attemptId]);
    const { keyId, ciphertext } = credential;
    const identity = { savedPaymentMethodId: id, provider: 'alpha', ...scope() };
    assert.deepEqual(openSavedCredential(SAVED_CARD_KEYRING, identity, { keyId, ciphertext }), ISSUED);
    const events = await test.database.event.findMany({ where: { resourceId: id }, select: { snapshot: true } });
    assert.deepEqual(await eventTypesOf(id), ['payment_method.saved', 'payment_method.updated']);
    assert.doesNotMatch(JSON.stringify(events), /very_secret/);
  });

  it('are asked for again while the provider has issued none, or does not answer', async () => {
    const id = await saved();
    await assert.rejects(maintain(id, { readCredential: () => Promise.resolve(null) }), { type: 'TOKEN_NOT_ISSUED' });
    const outage = new ProviderOutageError('TSP_TIMEOUT', 'no answer');
    await assert.rejects(maintain(id, { readCredential: () => Promise.reject(outage) }), { type: 'TSP_TIMEOUT' });
    assert.ok((await rowOf(id)).nextDueAt !== null);
  });

  it('are given up after a day; without a number the method is invalid then', async () => {
    const [withNumber, without] = [await saved(), await saved(false)];
    for (const id of [withNumber, without]) {
      const updatedAt = new Date(Date.now() - 2 * 86_400_000);
      await test.database.savedPaymentMethodCredential.updateMany({
        where: { savedPaymentMethodId: id },
        data: { updatedAt },
      });
      await maintain(id, { readCredential: () => Promise.resolve(null) });
    }
    assert.deepEqual([(await rowOf(withNumber)).status, (await rowOf(without)).status], ['active', 'invalid']);
    assert.equal((await eventTypesOf(without)).at(-1), 'payment_method.invalidated');
  });

  it('do not exist at a provider that stores no cards', async () => {
    const id = await saved();
    await maintain(id, {});
    const { credentials, nextDueAt, status } = await rowOf(id);
    assert.deepEqual([credentials, nextDueAt, status], [[], null, 'active']);
  });

  it('are removed at the provider after a removal, however long that takes', async () => {
    const id = await saved();
    await maintain(id, { readCredential: () => Promise.resolve(ISSUED) });
    await removeSavedMethod(test.database, scope(), id);
    const outage = new ProviderOutageError('TSP_UNAVAILABLE', 'down');
    await assert.rejects(maintain(id, { removeCredential: () => Promise.reject(outage) }), { type: 'TSP_UNAVAILABLE' });
    assert.equal((await rowOf(id)).credentials.length, 1);
    const removed: CredentialRemoval[] = [];
    const result = await maintain(id, { removeCredential: async (removal) => void removed.push(removal) });
    assert.deepEqual([result.kind, removed.map(({ token }) => token)], ['removed', [TOKEN]]);
    const { credentials, nextDueAt } = await rowOf(id);
    assert.deepEqual([credentials, nextDueAt], [[], null]);
  });

  it('are removed too if they were issued and not read before the removal', async () => {
    const id = await saved();
    await removeSavedMethod(test.database, scope(), id);
    const removed: string[] = [];
    await maintain(id, {
      readCredential: () => Promise.resolve(ISSUED),
      removeCredential: async ({ token }) => void removed.push(token),
    });
    assert.deepEqual(removed, [TOKEN]);
  });
});

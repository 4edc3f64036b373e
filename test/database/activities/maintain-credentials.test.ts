import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { maintainCredentials } from '../../../activities/maintain-credentials.ts';
import { removeSavedMethod } from '../../../api/resources/payment-methods/stored-method.ts';
import { attemptIdOf } from '../../../domain/ids.ts';
import { insertProviderCustomer } from '../../../prisma/queries/provider-customer.ts';
import { askAboutCredentials } from '../../../prisma/queries/saved-payment-method.ts';
import type { CredentialRemoval, PaymentProvider } from '../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { openSavedCredential } from '../../../vault/saved-credential.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { inActivity } from '../../support/activity-context.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import {
  approveCardPayment,
  insertCustomer,
  SAVED_CARD_KEYRING,
  saveCard,
  storeCardPayment,
} from '../../support/saved-cards.ts';

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

  it('are disabled, and not asked for again, once the account at the provider is deleted', async () => {
    const customerId = await insertCustomer(test.database, test.account);
    await saveCard(test.database, test.account, { customerId, provider: 'stripe_deleted', storesNumber: false });
    const { id } = await test.database.savedPaymentMethod.findFirstOrThrow({ where: { customerId } });
    await maintain(id, { readCredential: () => assert.fail('another provider is not asked') });
    const { credentials, status, statusReason, nextDueAt } = await rowOf(id);
    assert.deepEqual(
      [credentials.map((each) => each.status), status, statusReason, nextDueAt],
      [['disabled'], 'invalid', 'token_disabled', null],
    );
  });

  it('are read again when the provider reports a change, with the new expiry, and the one before is removed', async () => {
    const id = await saved();
    await maintain(id, { readCredential: () => Promise.resolve(ISSUED) });
    const { credentials, customerId } = await rowOf(id);
    const provider = 'alpha';
    const known = { customerId, provider };
    await test.database.direct.row(insertProviderCustomer(known, 'cus_at_provider', null));
    await test.database.direct.row(insertProviderCustomer(known, 'cus_of_another_call', null));
    const reports = [
      { attemptId: credentials[0]?.attemptId ?? '' },
      { providerCustomerId: 'cus_at_provider' },
      { providerCustomerId: 'cus_at_provider' },
    ];
    for (const of of reports) {
      await test.database.direct.execute(askAboutCredentials({ provider, of }));
      const asked = await rowOf(id);
      assert.deepEqual([asked.credentials[0]?.status, asked.nextDueAt === null], ['pending', false]);
      await test.database.savedPaymentMethod.update({ where: { id }, data: { nextDueAt: null } });
    }
    const removed: string[] = [];
    await maintain(id, {
      readCredential: () => Promise.resolve({ ...ISSUED, token: 'tok_next', expiry: { month: 1, year: 2_041 } }),
      removeCredential: async ({ token }) => void removed.push(token),
    });
    const { masked, cardExpiresAt, credentials: after } = await rowOf(id);
    assert.partialDeepStrictEqual(masked, { expiryMonth: 1, expiryYear: 2_041 });
    assert.deepEqual([cardExpiresAt.toISOString(), after[0]?.status], ['2041-02-01T00:00:00.000Z', 'active']);
    assert.deepEqual(removed, [TOKEN]);
  });

  it('are disabled when the provider says that they are gone, and what card networks know is kept', async () => {
    const id = await saved(false);
    await maintain(id, { readCredential: () => Promise.resolve(ISSUED) });
    const { customerId } = await rowOf(id);
    await test.database.direct.row(insertProviderCustomer({ customerId, provider: 'alpha' }, 'cus_gone', null));
    const of = { providerCustomerId: 'cus_gone' };
    await test.database.direct.execute(askAboutCredentials({ provider: 'alpha', of }));
    await maintain(id, {
      readCredential: () => Promise.resolve({ ...ISSUED, token: null, providerCustomerId: null }),
      removeCredential: () => assert.fail('nothing is left to remove'),
    });
    const { status, credentials } = await rowOf(id);
    assert.deepEqual(
      [status, credentials.map((each) => [each.status, each.hasNetworkTransactionId])],
      ['invalid', [['disabled', true]]],
    );
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

  it('are all removed of a card that was saved twice at the same time, each of which has a token of its own', async () => {
    const customerId = await insertCustomer(test.database, test.account);
    const payments = await Promise.all(
      [1, 2, 3].map(() => storeCardPayment(test.database, test.account, { customerId })),
    );
    await Promise.all(payments.map((payment) => approveCardPayment(test.database, payment)));
    const { id } = await test.database.savedPaymentMethod.findFirstOrThrow({ where: { customerId } });
    const readCredential: PaymentProvider['readCredential'] = ({ attemptId }) =>
      Promise.resolve({ ...ISSUED, token: `tok of ${attemptId}` });
    await maintain(id, { readCredential });
    await removeSavedMethod(test.database, scope(), id);
    const removed: string[] = [];
    await maintain(id, { readCredential, removeCredential: async ({ token }) => void removed.push(token) });
    assert.deepEqual(removed.sort(), payments.map((payment) => `tok of ${attemptIdOf(payment.id, 1)}`).sort());
  });

  it('are not removed where the customer has saved the card again meanwhile, and has the same token', async () => {
    const id = await saved();
    await maintain(id, { readCredential: () => Promise.resolve(ISSUED) });
    await removeSavedMethod(test.database, scope(), id);
    const { customerId } = await rowOf(id);
    await saveCard(test.database, test.account, { customerId });
    const again = await test.database.savedPaymentMethod.findFirstOrThrow({ where: { customerId, status: 'active' } });
    const removed: string[] = [];
    const answers: Partial<PaymentProvider> = {
      readCredential: () => Promise.resolve(ISSUED),
      removeCredential: async ({ token }) => void removed.push(token),
    };
    await assert.rejects(maintain(id, answers), { type: 'TOKEN_NOT_ISSUED' });
    await maintain(again.id, answers);
    await maintain(id, answers);
    assert.deepEqual([removed, (await rowOf(id)).credentials], [[], []]);
    await removeSavedMethod(test.database, scope(), again.id);
    await maintain(again.id, answers);
    assert.deepEqual(removed, [TOKEN]);
  });
});

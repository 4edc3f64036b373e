import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { applyAmendment } from '../../activities/apply-amendment.ts';
import { planPayment } from '../../activities/plan-payment.ts';
import { recordChange } from '../../activities/record-change.ts';
import { transactionIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { AMENDMENT_GONE } from '../../domain/payment-change.ts';
import { createProviderRegistry } from '../../providers/provider-registry.ts';
import { createSimulators } from '../../providers/simulator/create-simulators.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../support/payment-rows.ts';
import { amendmentOf, approval, recordsOf, RUN } from '../support/payment-steps.ts';

describe('the records of a payment', () => {
  let test: TestDatabase;
  let accountId: string;

  before(async function start() {
    this.timeout(60_000);
    test = await createTestDatabase();
    accountId = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  const rowsOf = (id: string) => recordsOf(test.database, id);

  it('are all written by one step', async () => {
    const id = await insertPaymentIntent(test.database, accountId);
    await recordChange(test.database, approval(id), RUN);
    const { intent, attempts, transactions, timeline, events } = await rowsOf(id);
    assert.equal(intent.status, 'succeeded');
    assert.equal(intent.version, 1);
    assert.equal(intent.amountCapturedMinor, 1_000n);
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ['approved'],
    );
    assert.deepEqual(
      transactions.map(({ type, amountMinor }) => [type, amountMinor]),
      [['capture', 1_000n]],
    );
    assert.deepEqual(
      timeline.map(({ kind }) => kind),
      ['attempt', 'decision'],
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['transaction.created', 'payment_intent.succeeded'],
    );
    assert.deepEqual(
      events.map(({ resourceId }) => resourceId),
      [transactionIdOf(id, 1), id],
    );
    assert.ok(!JSON.stringify(events.map(({ snapshot }) => snapshot)).includes('client_secret'));
  });

  it('change nothing when the step is repeated', async () => {
    const id = await insertPaymentIntent(test.database, accountId);
    await recordChange(test.database, approval(id), RUN);
    const once = await rowsOf(id);
    await recordChange(test.database, approval(id), RUN);
    assert.deepEqual(await rowsOf(id), once);
  });

  it('are written once by many repeats at the same time', async () => {
    const id = await insertPaymentIntent(test.database, accountId);
    await Promise.all(Array.from({ length: 10 }, () => recordChange(test.database, approval(id), RUN)));
    const { intent, events, transactions } = await rowsOf(id);
    assert.deepEqual([intent.version, events.length, transactions.length], [1, 2, 1]);
  });

  it('are refused when somebody else has written the row', async () => {
    const id = await insertPaymentIntent(test.database, accountId, { version: 7 });
    await assert.rejects(recordChange(test.database, approval(id), RUN), /version 7, expected version 0/);
    assert.equal((await rowsOf(id)).events.length, 0);
  });

  it('keep the payment method that was attached before', async () => {
    const id = await insertPaymentIntent(test.database, accountId, { paymentMethodId: 'pm_attached' });
    const change = approval(id);
    await recordChange(test.database, { ...change, columns: { ...change.columns, paymentMethodId: null } }, RUN);
    assert.equal((await rowsOf(id)).intent.paymentMethodId, 'pm_attached');
  });

  describe('of card data', () => {
    const insertMethod = async (paymentIntentId: string): Promise<string> => {
      const id = newId('paymentMethod');
      await test.database.paymentMethod.create({
        data: {
          id,
          merchantAccountId: accountId,
          environment: 'sandbox',
          paymentIntentId,
          type: 'card',
          masked: { type: 'card' },
          keyId: 'k1',
          ciphertext: Buffer.from('sealed'),
          cvcCiphertext: Buffer.from('sealed'),
        },
      });
      return id;
    };
    const cvcOf = async (id: string): Promise<Uint8Array | null> =>
      (await test.database.paymentMethod.findUniqueOrThrow({ where: { id } })).cvcCiphertext;

    it('lose the CVC that is named, and only that', async () => {
      const id = await insertPaymentIntent(test.database, accountId);
      const [used, other] = [await insertMethod(id), await insertMethod(id)];
      const change = approval(id, { eraseCvcOf: used, transactions: [], events: [] });
      const columns = { ...change.columns, status: 'requires_payment_method' } as const;
      await recordChange(test.database, { ...change, columns }, RUN);
      assert.equal(await cvcOf(used), null);
      assert.notEqual(await cvcOf(other), null);
    });

    it('lose every CVC when the intent ends', async () => {
      const id = await insertPaymentIntent(test.database, accountId);
      const methods = [await insertMethod(id), await insertMethod(id)];
      await recordChange(test.database, approval(id), RUN);
      for (const method of methods) assert.equal(await cvcOf(method), null);
    });
  });

  describe("of a provider's health", () => {
    const openCircuits = async (): Promise<string[]> => {
      const rows = await test.database.providerHealth.findMany({ where: { openUntil: { gt: new Date() } } });
      return rows.map(({ provider }) => provider);
    };
    const report = async (available: boolean): Promise<void> => {
      const id = await insertPaymentIntent(test.database, accountId);
      const providerHealth = [{ provider: 'alpha', available }];
      await recordChange(test.database, approval(id, { at: new Date().toISOString(), providerHealth }), RUN);
    };

    it('open its circuit after 5 failures in a row, and close it with the first answer', async () => {
      for (let failure = 1; failure <= 4; failure += 1) await report(false);
      assert.deepEqual(await openCircuits(), []);
      await report(false);
      assert.deepEqual(await openCircuits(), ['alpha']);
      await report(true);
      assert.deepEqual(await openCircuits(), []);
    });
  });

  describe('of an amendment', () => {
    const amend = async (id: string, changes: object): Promise<string> => {
      const amendmentId = newId('amendment');
      await test.database.paymentIntentAmendment.create({
        data: { id: amendmentId, paymentIntentId: id, changes: { ...changes } },
      });
      return amendmentId;
    };

    it('change what is named, clear what is null, and answer the same when repeated', async () => {
      const id = await insertPaymentIntent(test.database, accountId, { description: 'old', country: 'DE' });
      const amendmentId = await amend(id, { amountMinor: 2_500, country: null, metadata: { order: '7' } });
      const amendment = amendmentOf(id, amendmentId);
      const terms = await applyAmendment(test.database, amendment, RUN);
      const expected = { amountMinor: 2_500, currency: 'USD', country: null, captureMethod: 'automatic' };
      assert.deepEqual(terms, { ...expected, version: 1 });
      assert.deepEqual(await applyAmendment(test.database, amendment, RUN), terms);
      const { intent, timeline } = await rowsOf(id);
      assert.deepEqual([intent.version, intent.description, intent.metadata], [1, 'old', { order: '7' }]);
      assert.deepEqual(
        timeline.map(({ summary }) => summary),
        ['Amended: amountMinor, country, metadata'],
      );
      assert.equal(await test.database.paymentIntentAmendment.count({ where: { id: amendmentId } }), 0);
    });

    it('fail for good, with the intent as it was, where the parcel was purged', async () => {
      const id = await insertPaymentIntent(test.database, accountId);
      const amendment = amendmentOf(id, newId('amendment'));
      await assert.rejects(applyAmendment(test.database, amendment, RUN), { type: AMENDMENT_GONE, nonRetryable: true });
      assert.equal((await rowsOf(id)).intent.version, 0);
    });

    it('keep the parcel where the row is not the one that was expected', async () => {
      const id = await insertPaymentIntent(test.database, accountId, { version: 7 });
      const amendmentId = await amend(id, { amountMinor: 2_500 });
      await assert.rejects(applyAmendment(test.database, amendmentOf(id, amendmentId), RUN));
      assert.equal(await test.database.paymentIntentAmendment.count({ where: { id: amendmentId } }), 1);
    });

    it('are refused for another intent', async () => {
      const id = await insertPaymentIntent(test.database, accountId);
      const amendmentId = await amend(await insertPaymentIntent(test.database, accountId), { amountMinor: 1 });
      await assert.rejects(applyAmendment(test.database, amendmentOf(id, amendmentId), RUN));
      assert.equal((await rowsOf(id)).intent.amountMinor, 1_000n);
    });
  });

  describe('as planning reads them', () => {
    it('give the terms of the intent’s row where an amendment of it was lost', async () => {
      const id = await insertPaymentIntent(test.database, accountId, { amountMinor: 2_000n });
      const plan = (amountMinor: number) =>
        planPayment(test.database, createProviderRegistry([]), {
          paymentIntentId: id,
          merchantAccountId: accountId,
          environment: 'sandbox',
          method: 'upi',
          terms: { amountMinor, currency: 'USD', country: null, captureMethod: 'automatic' },
          attemptsMade: 0,
        });
      assert.equal((await plan(1_000)).terms?.amountMinor, 2_000);
      assert.equal((await plan(2_000)).terms, undefined);
    });

    it('give the routes, the limit and the open circuits of the account', async () => {
      const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: accountId } });
      const base = { merchantId, environment: 'sandbox', method: 'card', currencies: ['USD'], countries: [] };
      for (const [provider, priority] of [
        ['beta', 2],
        ['alpha', 1],
      ] as const) {
        await test.database.paymentRoute.create({
          data: { ...base, id: newId('paymentRoute'), provider, priority, excludedCountries: ['AQ'] },
        });
      }
      await test.database.channelLimit.create({
        data: {
          merchantId,
          environment: 'sandbox',
          method: 'card',
          currency: 'USD',
          minimumMinor: 50,
          maximumMinor: 5_000,
        },
      });
      const registry = createProviderRegistry(
        createSimulators({
          simulators: ['alpha', 'beta'].map((name) => ({ name, url: 'http://127.0.0.1:1' })),
          apiKey: 'not used here, but long',
          webhookSecret: `whsec_${Buffer.alloc(24).toString('base64')}`,
          timeoutMs: 1_000,
          allowInProduction: false,
        }),
      );
      const plan = (amountMinor: number, country: string | null) =>
        planPayment(test.database, registry, {
          paymentIntentId: newId('paymentIntent'),
          merchantAccountId: accountId,
          environment: 'sandbox',
          method: 'card',
          terms: { amountMinor, currency: 'USD', country, captureMethod: 'automatic' },
          attemptsMade: 0,
        });
      assert.deepEqual(
        (await plan(1_000, 'DE')).routes.map(({ provider }) => provider),
        ['alpha', 'beta'],
      );
      assert.equal((await plan(1_000, 'AQ')).refusal?.code, 'UNSUPPORTED_REGION');
      assert.equal((await plan(49, 'DE')).refusal?.code, 'CHANNEL_LIMIT_MIN_EXCEEDED');
      assert.equal((await plan(5_001, 'DE')).refusal?.code, 'CHANNEL_LIMIT_MAX_EXCEEDED');
    });
  });
});

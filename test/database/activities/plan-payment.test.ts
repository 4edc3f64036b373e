import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { planPayment } from '../../../activities/plan-payment.ts';
import { planRoutes, type RoutePlan } from '../../../domain/plan-routes.ts';
import { selectRoutingFacts } from '../../../prisma/queries/routing.ts';
import type { PlanRequest } from '../../../protocol/payment-activities.ts';
import { newId } from '../../../domain/new-id.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { createSimulators } from '../../../providers/simulator/create-simulators.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertMerchantAccount, insertPaymentAttempt, insertPaymentIntent } from '../../support/payment-rows.ts';
import { ACCOUNTS_KEYRING, insertProviderAccount, SIMULATOR_KINDS } from '../../support/provider-accounts.ts';
import { openAttemptOf, opening, record } from '../../support/payment-steps.ts';
import { createProviderAccounts } from '../../../vault/provider-accounts.ts';

describe('planPayment', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** Plans as the activity does. @param isMerchant whether the merchant charges without the customer */
  async function planAs(isMerchant: boolean, request: PlanRequest): Promise<RoutePlan> {
    const { currency, country } = request.terms;
    const facts = await test.database.direct.row(selectRoutingFacts({ ...request, currency, country }));
    assert.ok(facts);
    return planRoutes(facts, { ...request, offSession: isMerchant }, createProviderRegistry([]));
  }

  it('reads the routes, the limit and the open circuits of the account', async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
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
        simulators: ['alpha', 'beta'].map((name) => ({
          name,
          url: 'http://127.0.0.1:1',
          apiKey: 'not used here',
          webhookSecret: `whsec_${Buffer.alloc(24).toString('base64')}`,
        })),
        timeoutMs: 1_000,
        allowInProduction: false,
      }),
    );
    const plan = (amountMinor: number, country: string | null) =>
      planPayment(test.database, registry, {
        paymentIntentId: newId('paymentIntent'),
        merchantAccountId: test.account,
        environment: 'sandbox',
        method: 'card',
        terms: { amountMinor, currency: 'USD', country, captureMethod: 'automatic' },
        paymentMethodId: 'pm_none',
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

  it('takes only active accounts of its own merchant account at providers', async () => {
    const own = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: own } });
    const sibling = newId('merchantAccount');
    await test.database.merchantAccount.create({
      data: { id: sibling, merchantId, environment: 'sandbox', name: 'Another' },
    });
    const [active, disabled, ofSibling, ofStranger] = await Promise.all(
      [own, own, sibling, test.account].map((id) => insertProviderAccount(test.database, id)),
    );
    assert.ok(active && disabled && ofSibling && ofStranger);
    await test.database.providerAccount.update({ where: { id: disabled }, data: { status: 'disabled' } });
    for (const provider of [active, disabled, ofSibling, ofStranger]) {
      await test.database.paymentRoute.create({
        data: { id: newId('paymentRoute'), merchantId, environment: 'sandbox', method: 'upi', provider },
      });
    }
    const accounts = createProviderAccounts({
      database: test.database,
      keyring: ACCOUNTS_KEYRING,
      kinds: SIMULATOR_KINDS,
    });
    const plan = (method: 'upi' | 'card') =>
      planPayment(test.database, createProviderRegistry([], accounts), {
        paymentIntentId: newId('paymentIntent'),
        merchantAccountId: own,
        environment: 'sandbox',
        method,
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId: 'pm_none',
        attemptsMade: 0,
      });
    const { routes, skippedRoutes } = await plan('upi');
    assert.deepEqual(
      routes.map(({ provider }) => provider),
      [active],
    );
    assert.deepEqual(Object.fromEntries(skippedRoutes.map(({ provider, reason }) => [provider, reason])), {
      [disabled]: 'provider_account_disabled',
      [ofSibling]: 'other_merchant_account',
      [ofStranger]: 'provider_not_configured',
    });
    assert.deepEqual(new Set((await plan('card')).skippedRoutes.map(({ reason }) => reason)), new Set(['method']));
  });

  it('returns no route while a stray charge of the payment is not reversed', async () => {
    const id = await test.insertIntent();
    const plan = () =>
      planPayment(test.database, createProviderRegistry([]), {
        paymentIntentId: id,
        merchantAccountId: test.account,
        environment: 'sandbox',
        method: 'upi',
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId: 'pm_none',
        attemptsMade: 1,
      });
    const { refusal } = await plan();
    const charge = { paymentIntentId: id, merchantAccountId: test.account, environment: 'sandbox', provider: 'alpha' };
    await test.database.strayCharge.create({ data: { ...charge, attemptId: `att of ${id}` } });
    const held = await plan();
    assert.notDeepEqual(held.refusal, refusal);
    assert.deepEqual(held.routes, []);
    await test.database.strayCharge.updateMany({ data: { status: 'reversed' } });
    assert.deepEqual((await plan()).refusal, refusal);
  });

  it('does not send a card again that was declined for good, whatever method stands for it now', async () => {
    const id = await test.insertIntent();
    const attempt = await insertPaymentAttempt(test.database, id);
    await test.database.paymentAttempt.update({
      where: { id: attempt },
      data: { paymentMethodId: `pm_a ${id}`, outcome: 'declined', code: 'PAYMENT_DECLINED', advice: 'never' },
    });
    for (const [method, card] of [
      ['pm_a', 'lost'],
      ['pm_b', 'lost'],
      ['pm_c', 'another'],
    ]) {
      const paymentMethodId = `${method} ${id}`;
      await test.database.cardDigest.create({ data: { paymentMethodId, paymentIntentId: id, card: `${card} ${id}` } });
    }
    const codeOf = async (method: string) => {
      const { refusal } = await planPayment(test.database, createProviderRegistry([]), {
        paymentIntentId: id,
        merchantAccountId: test.account,
        environment: 'sandbox',
        method: 'card',
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId: `${method} ${id}`,
        attemptsMade: 1,
      });
      return [refusal?.code, refusal?.details?.reason];
    };
    assert.deepEqual(await codeOf('pm_a'), ['PAYMENT_DECLINED', 'declined_before']);
    assert.deepEqual(await codeOf('pm_b'), ['PAYMENT_DECLINED', 'declined_before']);
    assert.notEqual((await codeOf('pm_c'))[1], 'declined_before');
    await test.database.paymentAttempt.update({ where: { id: attempt }, data: { advice: 'later' } });
    assert.notEqual((await codeOf('pm_b'))[1], 'declined_before');
  });

  it('counts the declines of a card for an amount, and allows retries within the limits of the schemes', async () => {
    const id = await test.insertIntent();
    const paymentMethodId = openAttemptOf(id).paymentMethodId;
    await test.database.cardDigest.create({ data: { paymentMethodId, paymentIntentId: id, card: `counted ${id}` } });
    await test.database.merchantAccount.update({
      where: { id: test.account },
      data: { declineRetriesEnabled: true, declineRetriesMaximum: 3 },
    });
    const plan = (isMerchant = false) =>
      planAs(isMerchant, {
        paymentIntentId: id,
        merchantAccountId: test.account,
        environment: 'sandbox',
        method: 'card',
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId,
        attemptsMade: 1,
      });
    const elsewhere = { maxRetries: 3, issuerDeclines: false };
    const none = { count: 0, until: null };
    assert.deepEqual((await plan()).retries, { elsewhere, declines: { day: none, month: none } });
    const at = new Date().toISOString();
    await record(test.database, id, opening(id));
    const ended = { outcome: 'declined', code: 'CARD_DECLINED', advice: 'elsewhere', finishedAt: at } as const;
    const step = {
      attempts: [{ ...openAttemptOf(id), ...ended }],
      timeline: [{ kind: 'attempt', summary: 'declined' }],
    } as const;
    await record(test.database, id, step, { at });
    const counts = await test.database.rateLimit.findMany({ where: { key: { contains: `counted ${id}` } } });
    assert.deepEqual(
      counts.map(({ points }) => points),
      [1, 1],
    );
    const { retries } = await plan();
    assert.equal(retries?.declines.day.count, 1);
    assert.ok(Date.parse(retries.declines.day.until ?? '') > Date.now());
    await test.database.merchantAccount.update({
      where: { id: test.account },
      data: { declineRetriesEnabled: false },
    });
    assert.equal((await plan()).retries?.elsewhere, null);
    await test.database.rateLimit.updateMany({
      where: { key: { contains: `month:counted ${id}` } },
      data: { points: 15 },
    });
    assert.notEqual((await plan()).refusal?.details?.reason, 'scheme_retry_limit');
    const { refusal } = await plan(true);
    assert.deepEqual([refusal?.code, refusal?.details?.reason], ['LIMIT_EXCEEDED', 'scheme_retry_limit']);
    assert.ok(Date.parse(String(refusal?.details?.retryAfter)) > Date.now());
  });

  it('does not charge a card that was declined for good in the account while its customer is not there', async () => {
    const [declined, other] = [await test.insertIntent(), await test.insertIntent()];
    const methodOf = (id: string) => `pm_of_${id}`;
    for (const id of [declined, other]) {
      const paymentMethodId = methodOf(id);
      await test.database.cardDigest.create({
        data: { paymentMethodId, paymentIntentId: id, card: `lost ${declined}` },
      });
    }
    const ended = { outcome: 'declined', code: 'CARD_DECLINED', advice: 'never' } as const;
    const attempt = { ...openAttemptOf(declined), paymentMethodId: methodOf(declined) };
    await record(test.database, declined, { ...opening(declined), attempts: [attempt] });
    const at = new Date().toISOString();
    const step = {
      attempts: [{ ...attempt, ...ended, finishedAt: at }],
      timeline: [{ kind: 'attempt', summary: 'declined' }],
    } as const;
    await record(test.database, declined, step, { at });
    const refusalOf = async (isMerchant: boolean) => {
      const { refusal } = await planAs(isMerchant, {
        paymentIntentId: other,
        merchantAccountId: test.account,
        environment: 'sandbox',
        method: 'card',
        terms: { amountMinor: 77, currency: 'EUR', country: null, captureMethod: 'automatic' },
        paymentMethodId: methodOf(other),
        attemptsMade: 0,
      });
      return [refusal?.code, refusal?.details?.advice, refusal?.details?.reason];
    };
    assert.deepEqual(await refusalOf(true), ['CARD_DECLINED', 'never', 'declined_before']);
    assert.notEqual((await refusalOf(false))[2], 'declined_before');
    await test.database.rateLimit.updateMany({
      where: { key: { contains: `card-never:lost ${declined}` } },
      data: { expire: Date.now() - 1 },
    });
    assert.notEqual((await refusalOf(true))[2], 'declined_before');
  });

  it('fails for a payment of another merchant account, whose routes are not its own', async () => {
    const paymentIntentId = await insertPaymentIntent(test.database, await insertMerchantAccount(test.database));
    const plan = (merchantAccountId: string) =>
      planPayment(test.database, createProviderRegistry([]), {
        paymentIntentId,
        merchantAccountId,
        environment: 'sandbox',
        method: 'upi',
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId: 'pm_none',
        attemptsMade: 0,
      });
    const refused = { type: 'MERCHANT_ACCOUNT_DIFFERS', nonRetryable: true };
    await assert.rejects(plan(test.account), refused);
    await assert.rejects(plan(newId('merchantAccount')), refused);
  });
});

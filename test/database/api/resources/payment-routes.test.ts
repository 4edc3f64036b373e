import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { planPayment } from '../../../../activities/plan-payment.ts';
import { simulateRoutes } from '../../../../api/resources/payment-routes/simulate.ts';
import { listRoutes } from '../../../../accounts/payment-routes/stored-route.ts';
import { insertCardGroup, deleteCardGroup } from '../../../../accounts/card-groups/stored-group.ts';
import { updateRoute, insertRoute, MAXIMUM_ROUTES, deleteRoute } from '../../../../accounts/payment-routes/write.ts';
import type { Principal } from '../../../../domain/principal.ts';
import {
  createPaymentRouteBody,
  type CreatePaymentRoute,
  simulatePaymentRoutesBody,
} from '../../../../contract/schemas/payment-route.ts';
import { newId } from '../../../../domain/new-id.ts';
import { CAPTURE_METHODS, PAYMENT_METHOD_TYPES } from '../../../../domain/payment.ts';
import { decideRoutes } from '../../../../domain/routing.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { PROVIDER_KINDS } from '../../../../providers/provider-kinds.ts';
import { createProviderRegistry } from '../../../../providers/provider-registry.ts';
import { createSimulators } from '../../../../providers/simulator/create-simulators.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { SIMULATOR_CAPABILITIES } from '../../../../providers/simulator/simulator-provider.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';

const CONFIGURED = ['alpha', 'beta'];
const OFFERS = new Map(CONFIGURED.map((name) => [name, SIMULATOR_CAPABILITIES]));
const REGISTRY = {
  find: () => Promise.resolve(undefined),
  offersFor: () => OFFERS,
  offerOfAccount: () => SIMULATOR_CAPABILITIES,
};

const anyRoute = fc.record({
  provider: fc.constantFrom('alpha', 'beta', 'gone'),
  paymentMethod: fc.constantFrom(...PAYMENT_METHOD_TYPES),
  currencies: fc.subarray(['EUR', 'INR']),
  countries: fc.subarray(['DE', 'IN']),
  excludedCountries: fc.subarray(['AQ', 'DE']),
  active: fc.boolean(),
});
const anyRoutes = fc
  .array(anyRoute, { maxLength: 8 })
  .map((routes) => routes.map((route, priority) => createPaymentRouteBody.parse({ ...route, priority })));
const anyPayment = fc.record({
  amount: fc.constantFrom(99, 100, 5_000, 5_001),
  currency: fc.constantFrom('EUR', 'INR', 'USD'),
  paymentMethod: fc.constantFrom(...PAYMENT_METHOD_TYPES),
  captureMethod: fc.constantFrom(...CAPTURE_METHODS),
  country: fc.constantFrom('DE', 'IN', 'AQ', null),
});

describe('payment routes in the database', function () {
  this.timeout(MINUTE_MS);
  const test = useTestDatabase();

  const newAccess = async (): Promise<Principal> => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    return principalWith({ merchantId, merchantAccountId });
  };

  const insert = (principal: Principal, fields: object = {}) =>
    insertRoute(test.database, principal, {
      id: newId('paymentRoute'),
      fields: createPaymentRouteBody.parse({ provider: 'alpha', paymentMethod: 'card', ...fields }),
    });

  const insertAll = async (principal: Principal, routes: readonly CreatePaymentRoute[]): Promise<void> => {
    for (const route of routes) await insert(principal, route);
  };

  it('are simulated as the workflow of a payment plans them', async () => {
    await test.database.providerHealth.create({
      data: {
        provider: 'alpha',
        environment: 'sandbox',
        consecutiveFailures: 9,
        openUntil: new Date(Date.now() + MINUTE_MS),
      },
    });
    await fc.assert(
      fc.asyncProperty(anyRoutes, anyPayment, async (routes, payment) => {
        const principal = await newAccess();
        await insertAll(principal, routes);
        const { merchantId, merchantAccountId, environment } = principal;
        const { paymentMethod: method, captureMethod, amount: amountMinor, currency, country } = payment;
        await test.database.channelLimit.create({
          data: { merchantId, environment, method, currency, minimumMinor: 100, maximumMinor: 5_000 },
        });
        const plan = await planPayment(test.database, REGISTRY, {
          paymentIntentId: newId('paymentIntent'),
          merchantAccountId,
          environment,
          method,
          terms: { amountMinor, currency, country, captureMethod },
          paymentMethodId: 'pm_none',
          attemptsMade: 0,
        });
        const simulation = await simulateRoutes({ database: test.database, registry: REGISTRY }, principal, payment);
        assert.deepEqual(
          simulation.routes.map(({ routeId, provider }) => ({ routeId, provider })),
          plan.routes,
        );
        assert.deepEqual(simulation.passedOver, plan.skippedRoutes);
        assert.deepEqual(simulation.refusal, plan.refusal);
        assert.ok(simulation.routes.every(({ provider, circuitOpen }) => circuitOpen === (provider === 'alpha')));
      }),
      { numRuns: 40 },
    );
  });

  it('pass an account over that does not take the asset or its network, in plan and simulation, and say what it takes', async () => {
    const principal = await newAccess();
    const { merchantAccountId, environment } = principal;
    const wallet = PROVIDER_KINDS.evm.capabilitiesOf({
      network: 'ethereum',
      tokens: JSON.stringify([{ asset: 'USDC' }]),
      currencies: '{}',
    });
    const registry = { ...REGISTRY, offersFor: () => new Map([...OFFERS, ['wallet', wallet]]) };
    await insert(principal, { provider: 'wallet', paymentMethod: 'crypto', priority: 1 });
    const plan = async (asset: string, network: string) => {
      const paymentIntentId = newId('paymentIntent');
      const paymentMethodId = newId('paymentMethod');
      const masked = { type: 'crypto', asset, network };
      const identity = { id: paymentMethodId, merchantAccountId, environment, paymentIntentId };
      await test.database.paymentMethod.create({ data: { ...identity, type: 'crypto', masked, keyId: 'none' } });
      const planned = await planPayment(test.database, registry, {
        paymentIntentId,
        merchantAccountId,
        environment,
        method: 'crypto',
        terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
        paymentMethodId,
        attemptsMade: 0,
      });
      const deposited = { asset, network };
      const body = { amount: 1_000, currency: 'USD', paymentMethod: 'crypto', deposited };
      const parsed = simulatePaymentRoutesBody.parse(body);
      const simulated = await simulateRoutes({ database: test.database, registry }, principal, parsed);
      assert.deepEqual([simulated.passedOver, simulated.refusal], [planned.skippedRoutes, planned.refusal]);
      return planned;
    };
    assert.equal((await plan('USDC', 'ethereum')).refusal, null);
    for (const [asset, network] of [
      ['USDT', 'ethereum'],
      ['USDC', 'polygon'],
    ] as const) {
      const { refusal, skippedRoutes } = await plan(asset, network);
      assert.equal(refusal?.code, 'UNSUPPORTED_CURRENCY_PAIR');
      assert.match(refusal.message, / wallet takes USDC on ethereum\./);
      assert.equal(skippedRoutes[0]?.reason, 'asset_not_offered');
    }
    await insert(principal, { provider: 'alpha', paymentMethod: 'crypto', priority: 2 });
    const { refusal, routes } = await plan('USDT', 'ethereum');
    assert.deepEqual([refusal, routes.map(({ provider }) => provider)], [null, ['alpha']]);
  });

  const particular = [
    [
      'KWD 1.005 at Stripe',
      'stripe',
      'KWD',
      1_005,
      'amount_not_offered',
      'amounts in KWD in steps of 0.010, such as 1.000 or 1.010',
    ],
    ['LYD at Stripe', 'stripe', 'LYD', 1_000, 'currency_not_offered', 'every currency but '],
    ['MGA 0.12 at Stripe', 'stripe', 'MGA', 12, 'amount_not_offered', 'amounts in MGA in steps of 1.00'],
    ['CVE 10.50 at Adyen', 'adyen', 'CVE', 1_050, 'amount_not_offered', 'amounts in CVE in steps of 1.00'],
    ['EUR at Cashfree', 'cashfree', 'EUR', 1_000, 'currency_not_offered', 'INR'],
    ['INR 0.50 at Cashfree', 'cashfree', 'INR', 50, 'amount_outside_limits', 'amounts from INR 1.00'],
  ] as const;
  for (const [payment, kind, currency, amount, reason, takes] of particular) {
    it(`pass over a provider that does not take the payment, in plan and simulation: ${payment}`, async () => {
      const principal = await newAccess();
      const offers = new Map([...OFFERS, ['first', PROVIDER_KINDS[kind].capabilitiesOf({})]]);
      const registry = { ...REGISTRY, offersFor: () => offers };
      const plan = async () => {
        const { merchantAccountId, environment } = principal;
        const planned = await planPayment(test.database, registry, {
          paymentIntentId: newId('paymentIntent'),
          merchantAccountId,
          environment,
          method: 'card',
          terms: { amountMinor: amount, currency, country: null, captureMethod: 'automatic' },
          paymentMethodId: 'pm_none',
          attemptsMade: 0,
        });
        const body = simulatePaymentRoutesBody.parse({ amount, currency, paymentMethod: 'card' });
        const simulated = await simulateRoutes({ database: test.database, registry }, principal, body);
        assert.deepEqual(
          [simulated.routes.map(({ provider }) => provider), simulated.passedOver, simulated.refusal],
          [planned.routes.map(({ provider }) => provider), planned.skippedRoutes, planned.refusal],
        );
        return planned;
      };
      await insert(principal, { provider: 'first', priority: 1 });
      const { refusal } = await plan();
      assert.equal(refusal?.code, reason === 'amount_outside_limits' ? 'LIMIT_EXCEEDED' : 'UNSUPPORTED_CURRENCY_PAIR');
      assert.ok(refusal.message.includes(` first takes ${takes}`), refusal.message);
      for (const [index, provider] of CONFIGURED.entries()) await insert(principal, { provider, priority: index + 2 });
      const { routes, skippedRoutes } = await plan();
      // The circuit of one of them may be open.
      assert.deepEqual(routes.map(({ provider }) => provider).sort(), CONFIGURED);
      assert.deepEqual(
        skippedRoutes.map((route) => [route.provider, route.reason]),
        [['first', reason]],
      );
    });
  }

  it('of production never lead to a simulator, unless that is allowed', async () => {
    const principal = { ...(await newAccess()), environment: 'production' } as const;
    const { id } = await insert(principal);
    for (const allowInProduction of [false, true]) {
      const simulators = createSimulators({
        simulators: [
          {
            name: 'alpha',
            url: 'http://127.0.0.1:1',
            apiKey: 'not used here',
            webhookSecret: `whsec_${Buffer.alloc(24).toString('base64')}`,
          },
        ],
        timeoutMs: 1_000,
        allowInProduction,
      });
      const {
        routes,
        skippedRoutes: passedOver,
        refusal,
      } = await planPayment(test.database, createProviderRegistry(simulators), {
        paymentIntentId: newId('paymentIntent'),
        merchantAccountId: principal.merchantAccountId,
        environment: 'production',
        method: 'card',
        terms: { amountMinor: 1_000, currency: 'EUR', country: null, captureMethod: 'automatic' },
        paymentMethodId: 'pm_none',
        attemptsMade: 0,
      });
      const choice = { routeId: id, provider: 'alpha' };
      assert.deepEqual(
        { routes, passedOver, code: refusal?.code },
        allowInProduction
          ? { routes: [choice], passedOver: [], code: undefined }
          : {
              routes: [],
              passedOver: [{ ...choice, reason: 'provider_not_configured' }],
              code: 'NO_TSP_AVAILABLE',
            },
      );
    }
  });

  it('may have been inserted by hand, without lists', async () => {
    const principal = await newAccess();
    const id = newId('paymentRoute');
    await test.database.$executeRaw`
      INSERT INTO payment_route (id, merchant_id, environment, provider, method, updated_at)
      VALUES (${id}, ${principal.merchantId}, 'sandbox', 'alpha', 'card', now())`;
    const payment = simulatePaymentRoutesBody.parse({
      amount: 1_000,
      currency: 'EUR',
      paymentMethod: 'card',
      country: 'DE',
    });
    const { routes } = await simulateRoutes({ database: test.database, registry: REGISTRY }, principal, payment);
    assert.deepEqual(
      routes.map(({ routeId }) => routeId),
      [id],
    );
  });

  it('are found by the currencies and countries that they take', async () => {
    await fc.assert(
      fc.asyncProperty(anyRoutes, anyPayment, async (routes, { currency, country, paymentMethod }) => {
        const principal = await newAccess();
        await insertAll(principal, routes);
        const filters = { currency, paymentMethod, active: true, ...(country === null ? {} : { country }) };
        const { rows, total } = await listRoutes(test.database, principal, { page: 1, limit: 100, ...filters });
        const all = await test.database.paymentRoute.findMany({ where: { merchantId: principal.merchantId } });
        const fitting = decideRoutes(
          all.map(({ method, conditions: _conditions, ...route }) => ({
            ...route,
            method: createPaymentRouteBody.shape.paymentMethod.parse(method),
          })),
          { method: paymentMethod, captureMethod: 'automatic', amountMinor: 1_000, currency, country, seed: '' },
          { providers: new Map([...OFFERS, ['gone', SIMULATOR_CAPABILITIES]]), circuitOpen: [] },
        );
        assert.deepEqual(rows.map(({ id }) => id).sort(), fitting.routes.map(({ routeId }) => routeId).sort());
        assert.equal(total, rows.length);
      }),
      { numRuns: 40 },
    );
  });

  it('are limited in number, also for concurrent creations', async () => {
    const principal = await newAccess();
    const base = { merchantId: principal.merchantId, environment: 'sandbox', provider: 'alpha', method: 'card' };
    await test.database.paymentRoute.createMany({
      data: Array.from({ length: MAXIMUM_ROUTES - 2 }, () => ({ ...base, id: newId('paymentRoute') })),
    });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => insert(principal)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(refused, ['STATE_CONFLICT', 'STATE_CONFLICT', 'STATE_CONFLICT']);
    await insert({ ...principal, environment: 'production' });
  });

  it('are created once for each id, and name each currency once', async () => {
    const principal = await newAccess();
    const id = newId('paymentRoute');
    const fields = createPaymentRouteBody.parse({
      provider: 'alpha',
      paymentMethod: 'card',
      currencies: ['USD', 'EUR', 'USD'],
    });
    const first = await insertRoute(test.database, principal, { id, fields });
    assert.deepEqual(await insertRoute(test.database, principal, { id, fields }), first);
    assert.deepEqual(first.currencies, ['USD', 'EUR']);
  });

  it('take only payments that meet their conditions, in plan and simulation, with the reason for each', async () => {
    const principal = await newAccess();
    const { merchantAccountId, environment } = principal;
    const group = await insertCardGroup(test.database, principal, {
      id: newId('cardGroup'),
      fields: { name: 'Corporate', prefixes: ['424242'] },
    });
    const conditions = [
      ['amount', { currencies: ['EUR'], amountMin: 2_000 }],
      ['card_brand', { cardBrands: ['mastercard'] }],
      ['card_group', { cardGroups: [group.id] }],
      ['metadata', { metadata: { channel: 'app' } }],
      ['capture_method', { captureMethods: ['manual'] }],
      ['initiator', { initiators: ['merchant'] }],
    ] as const;
    for (const [, fields] of conditions) await insert(principal, fields);
    const simulate = (payment: object) =>
      simulateRoutes(
        { database: test.database, registry: REGISTRY },
        principal,
        simulatePaymentRoutesBody.parse({ amount: 1_999, currency: 'EUR', paymentMethod: 'card', ...payment }),
      );
    const refused = await simulate({ cardBrand: 'visa', metadata: { channel: 'web' } });
    assert.deepEqual(
      refused.passedOver.map(({ reason }) => reason).sort(),
      conditions.map(([reason]) => reason).sort(),
    );
    assert.equal(refused.refusal?.code, 'NO_TSP_AVAILABLE');
    const taken = await simulate({
      amount: 2_000,
      cardBrand: 'mastercard',
      cardGroups: [group.id],
      metadata: { channel: 'app' },
      captureMethod: 'manual',
      offSession: true,
    });
    assert.equal(taken.routes.length, conditions.length);

    const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId, {
      metadata: { channel: 'app', shop: '7' },
    });
    const paymentMethodId = newId('paymentMethod');
    await test.database.paymentMethod.create({
      data: {
        id: paymentMethodId,
        merchantAccountId,
        environment,
        paymentIntentId,
        type: 'card',
        masked: { type: 'card', brand: 'mastercard', last4: '4242', expiryMonth: 1, expiryYear: 2034 },
        cardGroups: [group.id],
        keyId: 'k',
        ciphertext: Buffer.alloc(1),
      },
    });
    const plan = await planPayment(test.database, REGISTRY, {
      paymentIntentId,
      merchantAccountId,
      environment,
      method: 'card',
      terms: { amountMinor: 1_999, currency: 'EUR', country: null, captureMethod: 'automatic' },
      paymentMethodId,
      attemptsMade: 0,
    });
    assert.deepEqual(plan.skippedRoutes.map(({ reason }) => reason).sort(), ['amount', 'capture_method', 'initiator']);
    assert.equal(plan.routes.length, 3);
  });

  it('keep the conditions that a change does not name, and refuse those that contradict the rest', async () => {
    const principal = await newAccess();
    const { id } = await insert(principal, { currencies: ['EUR'], amountMin: 100, cardBrands: ['visa', 'visa'] });
    const update = (fields: object) => updateRoute(test.database, principal, { id, fields, providers: CONFIGURED });
    const conditionsOf = async () => (await test.database.paymentRoute.findUniqueOrThrow({ where: { id } })).conditions;
    await update({ amountMax: 5_000 });
    const kept = {
      amountMin: 100,
      amountMax: 5_000,
      cardBrands: ['visa'],
      cardGroups: [],
      metadata: {},
      captureMethods: [],
      initiators: [],
    };
    assert.deepEqual(await conditionsOf(), kept);
    const refusals = [
      [{ currencies: ['EUR', 'USD'] }, 'amountMin'],
      [{ currencies: [], amountMin: null }, 'amountMax'],
      [{ amountMin: 5_001 }, 'amountMax'],
      [{ paymentMethod: 'upi' }, 'cardBrands'],
      [{ cardGroups: [newId('cardGroup')] }, 'cardGroups.0'],
    ] as const;
    for (const [fields, field] of refusals) {
      await assert.rejects(update(fields), (error: { code: string; details: { fields: { field: string }[] } }) => {
        assert.equal(error.code, 'VALIDATION_ERROR');
        assert.deepEqual(
          error.details.fields.map((problem) => problem.field),
          [field],
        );
        return true;
      });
    }
    assert.deepEqual(await conditionsOf(), kept);
    await update({ amountMin: null, amountMax: null, cardBrands: [], currencies: [] });
  });

  it('keep the group of cards that they name from being deleted, and take no group of another merchant', async () => {
    const principal = await newAccess();
    const group = await insertCardGroup(test.database, principal, {
      id: newId('cardGroup'),
      fields: { name: 'Corporate', prefixes: ['424242'] },
    });
    await assert.rejects(insert(await newAccess(), { cardGroups: [group.id] }), { code: 'VALIDATION_ERROR' });
    const { id } = await insert(principal, { cardGroups: [group.id] });
    await assert.rejects(deleteCardGroup(test.database, principal, group.id), { code: 'STATE_CONFLICT' });
    await deleteRoute(test.database, principal, id);
    await deleteCardGroup(test.database, principal, group.id);
  });

  it('can be deactivated, but not activated, if their provider is not configured', async () => {
    const principal = await newAccess();
    const { id } = await insert(principal, { provider: 'gone' });
    const update = (fields: object) => updateRoute(test.database, principal, { id, fields, providers: CONFIGURED });
    await assert.rejects(update({ priority: 1 }), { code: 'VALIDATION_ERROR' });
    assert.equal((await update({ active: false, priority: 1 })).priority, 1);
    await assert.rejects(update({ active: true }), { code: 'VALIDATION_ERROR' });
    assert.equal((await update({ active: true, provider: 'beta' })).active, true);
  });

  it('are changed and deleted only by their merchant, in their environment', async () => {
    const principal = await newAccess();
    const { id } = await insert(principal);
    for (const stranger of [await newAccess(), { ...principal, environment: 'production' as const }]) {
      const change = { id, fields: { priority: 1 }, providers: CONFIGURED };
      await assert.rejects(updateRoute(test.database, stranger, change), { code: 'RESOURCE_NOT_FOUND' });
      await assert.rejects(deleteRoute(test.database, stranger, id), { code: 'RESOURCE_NOT_FOUND' });
    }
    await deleteRoute(test.database, principal, id);
    await assert.rejects(deleteRoute(test.database, principal, id), { code: 'RESOURCE_NOT_FOUND' });
  });
});

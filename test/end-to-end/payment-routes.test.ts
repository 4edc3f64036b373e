import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  deletedPaymentRoute,
  paymentRouteResource,
  paymentRouteSimulationResource,
} from '../../contract/schemas/payment-route.ts';
import { withHelp } from '../../domain/error-catalogue.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused, failureOf, intentOf } from '../support/envelopes.ts';
import { createAccount, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { type Client, clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { card, crypto, upi } from '../../sandbox/test-payment-methods.ts';
import { queryStack } from '../support/stack-database.ts';

const METHODS = { card: card('approved'), upi: upi('success'), crypto: crypto() } as const;
const ANY_CARD = { provider: 'alpha', paymentMethod: 'card' } as const;

/** Sets of routes, with payments that take different routes. */
const TABLES: readonly { readonly title: string; readonly routes: readonly object[] }[] = [
  { title: 'none', routes: [] },
  { title: 'one that is switched off', routes: [{ ...ANY_CARD, active: false }] },
  {
    title: 'by country',
    routes: [
      { ...ANY_CARD, countries: ['DE', 'AT'], priority: 20 },
      { ...ANY_CARD, provider: 'beta', excludedCountries: ['AT'], priority: 10 },
    ],
  },
  {
    title: 'by currency and method',
    routes: [
      { ...ANY_CARD, currencies: ['EUR'] },
      { provider: 'beta', paymentMethod: 'card', currencies: ['USD', 'INR'] },
      { provider: 'beta', paymentMethod: 'upi', currencies: ['INR'], countries: ['IN'] },
      { provider: 'beta', paymentMethod: 'crypto', countries: ['FR'] },
    ],
  },
];
const PAYMENTS = [
  { amount: 1_000, currency: 'EUR', country: 'DE', paymentMethod: 'card' },
  { amount: 1_000, currency: 'USD', country: 'AT', paymentMethod: 'card' },
  { amount: 49, currency: 'USD', country: 'DE', paymentMethod: 'card' },
  { amount: 10_000_001, currency: 'INR', country: 'IN', paymentMethod: 'upi' },
  { amount: 1_000, currency: 'INR', country: 'IN', paymentMethod: 'upi' },
  { amount: 1_000, currency: 'EUR', country: 'AQ', paymentMethod: 'crypto' },
  { amount: 1_000, currency: 'ISK', paymentMethod: 'card' },
] as const;

describe('payment routes', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let send: Client;

  before(async () => {
    merchant = await newMerchant();
    send = clientOf(merchant.credentials);
  });

  /** A merchant without routes, with the limits of the sandbox. */
  async function newMerchant(): Promise<TestMerchant> {
    const made = await createMerchant();
    await queryStack('DELETE FROM payment_route WHERE merchant_id = $1', [made.merchantId]);
    return made;
  }

  const create = async (fields: object = ANY_CARD, ask = send) =>
    resourceOf(await ask('POST', '/payment-routes', fields), paymentRouteResource, 201);
  const read = async (id: string) => resourceOf(await send('GET', `/payment-routes/${id}`), paymentRouteResource);
  const simulate = async (payment: object, ask = send) =>
    resourceOf(await ask('POST', '/payment-routes/simulate', payment), paymentRouteSimulationResource);

  it('are created, read, changed in part and deleted', async () => {
    const created = await create();
    const { id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = created;
    assert.match(id, /^rt_[0-9a-f]{32}$/);
    assert.deepEqual(fields, {
      object: 'payment_route',
      environment: 'sandbox',
      provider: 'alpha',
      sharePercent: 100,
      paymentMethod: 'card',
      currencies: [],
      countries: [],
      excludedCountries: [],
      amountMin: null,
      amountMax: null,
      cardBrands: [],
      cardGroups: [],
      metadata: {},
      captureMethods: [],
      initiators: [],
      priority: 100,
      weight: 1,
      active: true,
      createdBy: { type: 'api_key', id: merchant.apiKeyId },
    });
    assert.deepEqual(await read(id), created);
    const changes = {
      provider: 'beta',
      paymentMethod: 'upi',
      currencies: ['INR'],
      countries: ['IN', 'DE'],
      excludedCountries: ['AQ'],
      priority: 0,
      weight: 7,
      active: false,
    };
    const changed = resourceOf(await send('PATCH', `/payment-routes/${id}`, changes), paymentRouteResource);
    assert.deepEqual({ ...changed, ...changes }, changed);
    const unchanged = resourceOf(await send('PATCH', `/payment-routes/${id}`, {}), paymentRouteResource);
    assert.deepEqual({ ...unchanged, updatedAt: changed.updatedAt }, changed);
    const deleted = resourceOf(await send('DELETE', `/payment-routes/${id}`), deletedPaymentRoute);
    assert.deepEqual(deleted, { id, object: 'payment_route', deleted: true });
    assertRefused(await send('GET', `/payment-routes/${id}`), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await send('DELETE', `/payment-routes/${id}`), 404, 'RESOURCE_NOT_FOUND');
  });

  it('are listed newest first, with filters for the currency and country that they take', async () => {
    const list = clientOf((await newMerchant()).credentials);
    const any = await create({ ...ANY_CARD, active: false }, list);
    const german = await create({ provider: 'beta', paymentMethod: 'card', countries: ['DE'] }, list);
    const indian = await create({ provider: 'beta', paymentMethod: 'upi', currencies: ['INR'] }, list);
    const found = async (query: string) => {
      const answer = resourcePageOf(await list('GET', `/payment-routes${query}`), paymentRouteResource);
      assert.equal(answer.pagination.total, answer.data.length);
      return answer.data.map(({ id }) => id);
    };
    assert.deepEqual(await found(''), [indian.id, german.id, any.id]);
    assert.deepEqual(await found('?provider=beta'), [indian.id, german.id]);
    assert.deepEqual(await found('?paymentMethod=card&currency=EUR'), [german.id, any.id]);
    assert.deepEqual(await found('?country=FR'), [indian.id, any.id]);
    assert.deepEqual(await found('?active=false'), [any.id]);
    const second = resourcePageOf(await list('GET', '/payment-routes?page=2&limit=2'), paymentRouteResource);
    assert.deepEqual([second.data.map(({ id }) => id), second.pagination.totalPages], [[any.id], 2]);
    assertRefused(await list('GET', '/payment-routes?active=yes'), 422, 'VALIDATION_ERROR');
    assertRefused(await list('GET', '/payment-routes?paymentMethod=cash'), 422, 'INVALID_PAYMENT_METHOD');
  });

  it('are rejected with every field error, and stay unchanged', async () => {
    const { id } = await create();
    const wrong = {
      provider: 'nobody',
      paymentMethod: 'cash',
      currencies: ['EUR', 'eur'],
      countries: ['ZZ'],
      excludedCountries: 'DE',
      priority: -1,
      weight: 0,
      active: 'yes',
      name: 'x',
    };
    const problems = [
      'active:type',
      'countries.0:invalid',
      'currencies.1:invalid',
      'excludedCountries:type',
      'name:unknown',
      'paymentMethod:invalid',
      'priority:min',
      'provider:invalid',
      'weight:min',
    ];
    for (const [method, path] of [
      ['POST', '/payment-routes'],
      ['PATCH', `/payment-routes/${id}`],
    ] as const) {
      const answer = await send(method, path, wrong);
      assertRefused(answer, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(answer), problems);
      assertRefused(await send(method, path, { ...ANY_CARD, paymentMethod: 'cash' }), 422, 'INVALID_PAYMENT_METHOD');
      assertRefused(await send(method, path, { ...ANY_CARD, currencies: ['XXX'] }), 422, 'INVALID_CURRENCY');
      const many = Array.from({ length: 251 }, () => 'DE');
      assert.deepEqual(problemsOf(await send(method, path, { ...ANY_CARD, countries: many })), ['countries:too_long']);
    }
    assertRefused(await send('POST', '/payment-routes', { provider: 'alpha' }), 400, 'INVALID_REQUEST');
    assert.deepEqual((await read(id)).priority, 100);
  });

  it('belong to all accounts of the merchant in one environment', async () => {
    const { id } = await create();
    const { credentials } = await createAccount(merchant.merchantId);
    assert.equal((await clientOf(credentials)('GET', `/payment-routes/${id}`)).status, 200);
    const byOtherMethod = await send('GET', '/payment-routes/simulate');
    assertRefused(byOtherMethod, 405, 'METHOD_NOT_ALLOWED');
  });

  it('require a scope of their own; a simulation requires only the read scope', async () => {
    const reader = await createAccount(merchant.merchantId, 'sandbox', ['payment-routes:read']);
    const ask = clientOf(reader.credentials);
    assert.equal((await simulate({ amount: 100, currency: 'EUR', paymentMethod: 'card' }, ask)).refusal, null);
    assertRefused(await ask('POST', '/payment-routes', ANY_CARD), 403, 'INSUFFICIENT_PERMISSIONS');
    const writer = await createAccount(merchant.merchantId, 'sandbox', ['payment-routes:write']);
    assertRefused(await clientOf(writer.credentials)('GET', '/payment-routes'), 403, 'INSUFFICIENT_PERMISSIONS');
  });

  for (const { title, routes } of TABLES) {
    it(`are used by payments as simulated: ${title}`, async () => {
      const { credentials } = await newMerchant();
      const ask = clientOf(credentials);
      for (const route of routes) await create(route, ask);
      for (const { paymentMethod, ...terms } of PAYMENTS) {
        const { routes: chosen, passedOver, refusal } = await simulate({ ...terms, paymentMethod }, ask);
        assert.equal(
          chosen.length + passedOver.length,
          refusal?.code.startsWith('CHANNEL_LIMIT') === true ? 0 : routes.length,
        );
        const { country = null } = { country: null, ...terms };
        const payment = await createPayment({ ...terms, country }, credentials);
        const answer = await payment.confirm(METHODS[paymentMethod]);
        if (refusal === null) {
          const [attempt] = intentOf(answer).attempts;
          assert.deepEqual([attempt?.route, attempt?.provider], [chosen[0]?.routeId, chosen[0]?.provider]);
        } else {
          const { code, message, details } = failureOf(answer);
          const { paymentIntent: _paymentIntent, ...said } = { ...details };
          assert.deepEqual(
            { code, message, said },
            { code: refusal.code, message: withHelp(refusal.code, refusal.message), said: { ...refusal.details } },
          );
        }
      }
    });
  }

  it('apply from the next confirm on, and stay in the history of payments after they are deleted', async () => {
    const { credentials } = await newMerchant();
    const ask = clientOf(credentials);
    const first = await create(ANY_CARD, ask);
    const payment = await createPayment({}, credentials);
    assertRefused(await payment.confirm(card('declined')), 400, 'CARD_DECLINED');
    assert.equal((await payment.read()).attempts[0]?.route, first.id);
    const second = await create({ ...ANY_CARD, provider: 'beta', priority: 1 }, ask);
    assert.equal((await ask('DELETE', `/payment-routes/${first.id}`)).status, 200);
    const { attempts, provider } = intentOf(await payment.confirm(card('approved')));
    assert.equal(provider, 'beta');
    assert.deepEqual(
      attempts.map(({ route }) => route),
      [first.id, second.id],
    );
    const off = await ask('PATCH', `/payment-routes/${second.id}`, { active: false });
    assert.equal(off.status, 200);
    const next = await createPayment({}, credentials);
    assertRefused(await next.confirm(card('approved')), 503, 'NO_TSP_AVAILABLE');
  });

  it('are simulated with the country of the customer, and drawn anew among routes of equal priority', async () => {
    const { credentials } = await newMerchant();
    const ask = clientOf(credentials);
    for (const provider of ['alpha', 'beta']) await create({ ...ANY_CARD, provider, countries: ['DE'] }, ask);
    const customer = await ask('POST', '/customers', { country: 'FR' });
    const { id: customerId } = Object(customer.body['data']);
    const payment = { amount: 1_000, currency: 'EUR', paymentMethod: 'card', customerId };
    const abroad = await simulate(payment, ask);
    assert.deepEqual([abroad.country, abroad.refusal?.code], ['FR', 'UNSUPPORTED_REGION']);
    assert.deepEqual(new Set(abroad.passedOver.map(({ reason }) => reason)), new Set(['country']));
    const firsts = new Set<string | undefined>();
    for (let draw = 0; draw < 40; draw += 1) {
      const { routes, country } = await simulate({ ...payment, country: 'DE' }, ask);
      assert.deepEqual([country, routes.length], ['DE', 2]);
      firsts.add(routes[0]?.provider);
    }
    assert.deepEqual([...firsts].sort(), ['alpha', 'beta']);
    const unknown = { ...payment, customerId: newId('customer') };
    assertRefused(await ask('POST', '/payment-routes/simulate', unknown), 404, 'CUSTOMER_NOT_FOUND');
    const wrong = await ask('POST', '/payment-routes/simulate', { amount: 0, currency: 'XXX', paymentMethod: 'cash' });
    assert.deepEqual(problemsOf(wrong), ['amount:min', 'currency:invalid', 'paymentMethod:invalid']);
  });

  describe('of production', () => {
    let production: TestMerchant;
    let strict: ApiProcess;

    before(async () => {
      production = await createMerchant('production');
      strict = await startApi({
        SIMULATORS: 'alpha=http://127.0.0.1:1',
        SIMULATOR_API_KEYS: 'alpha=not used by this process',
        SIMULATOR_WEBHOOK_SECRETS: `alpha=whsec_${Buffer.alloc(24).toString('base64')}`,
      });
    });
    after(() => strict.stop());

    it('cannot be created or updated to lead to a simulator, unless that is allowed', async () => {
      const ask = clientOf({ ...production.credentials, baseUrl: strict.baseUrl });
      const refused = await ask('POST', '/payment-routes', { ...ANY_CARD, weight: 0 });
      assertRefused(refused, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(refused), ['provider:invalid', 'weight:min']);
      const { id, environment } = await create(ANY_CARD, clientOf(production.credentials));
      assert.equal(environment, 'production');
      for (const changes of [{ priority: 1 }, { provider: 'alpha' }]) {
        assert.deepEqual(problemsOf(await ask('PATCH', `/payment-routes/${id}`, changes)), ['provider:invalid']);
      }
      const { passedOver } = await simulate({ amount: 1_000, currency: 'EUR', paymentMethod: 'card' }, ask);
      assert.deepEqual(passedOver, [{ routeId: id, provider: 'alpha', reason: 'provider_not_configured' }]);
      assert.equal((await ask('PATCH', `/payment-routes/${id}`, { active: false })).status, 200);
    });
  });
});

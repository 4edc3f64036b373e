import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  type AccountProblem,
  decideRoutes,
  type ProviderOffer,
  type Route,
  type RoutingRequest,
} from '../../../domain/routing.ts';

const PROVIDERS = ['alpha', 'beta', 'gamma'];
const OFFER: ProviderOffer = {
  methods: ['card', 'upi', 'crypto'],
  captureMethods: ['automatic', 'manual'],
  providerTokens: true,
};
const CARDS_AT_ONCE: ProviderOffer = { methods: ['card'], captureMethods: ['automatic'], providerTokens: false };
const DISABLED: AccountProblem = 'provider_account_disabled';
const offering = (names: readonly string[]) => new Map(names.map((name) => [name, OFFER]));
const EVERYTHING_UP = {
  providers: new Map<string, ProviderOffer | AccountProblem>([
    ...offering(PROVIDERS),
    ['cards', CARDS_AT_ONCE],
    ['off', DISABLED],
    ['foreign', 'other_merchant_account'],
  ]),
  circuitOpen: [],
};

function route(overrides: Partial<Route> = {}): Route {
  return {
    id: 'rt_1',
    provider: 'alpha',
    method: 'card',
    currencies: [],
    countries: [],
    excludedCountries: [],
    priority: 1,
    weight: 1,
    active: true,
    ...overrides,
  };
}

function request(overrides: Partial<RoutingRequest> = {}): RoutingRequest {
  return {
    method: 'card',
    captureMethod: 'automatic',
    amountMinor: 1_000,
    currency: 'EUR',
    country: 'DE',
    seed: 'pi_1',
    ...overrides,
  };
}

const anyRoute = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  method: fc.constantFrom('card' as const, 'upi' as const),
  currencies: fc.subarray(['EUR', 'USD', 'INR']),
  countries: fc.subarray(['DE', 'IN']),
  excludedCountries: fc.subarray(['AQ', 'DE']),
  conditions: fc.record(
    {
      amountMin: fc.constantFrom(null, 500),
      amountMax: fc.constantFrom(null, 50_000),
      cardBrands: fc.subarray(['visa', 'rupay']),
      cardGroups: fc.subarray(['crdg_1', 'crdg_2']),
      metadata: fc.constantFrom({}, { channel: 'app' }),
      captureMethods: fc.subarray(['automatic' as const, 'manual' as const]),
      initiators: fc.subarray(['customer' as const, 'merchant' as const]),
    },
    { requiredKeys: [] },
  ),
  priority: fc.integer({ min: 0, max: 3 }),
  weight: fc.integer({ min: 1, max: 100 }),
  active: fc.boolean(),
});
const anyRoutes = fc
  .array(anyRoute, { maxLength: 12 })
  .map((routes) => routes.map((each, index): Route => ({ ...each, id: `rt_${index}` })));
const anyRequest = fc.record({
  method: fc.constantFrom('card' as const, 'upi' as const),
  captureMethod: fc.constantFrom('automatic' as const, 'manual' as const),
  amountMinor: fc.integer({ min: 1, max: 100_000 }),
  currency: fc.constantFrom('EUR', 'USD', 'INR', 'JPY'),
  country: fc.constantFrom('DE', 'IN', 'AQ', null),
  cardBrand: fc.constantFrom('visa', 'rupay', 'unknown', null),
  cardGroups: fc.subarray(['crdg_1', 'crdg_2']),
  metadata: fc.constantFrom({}, { channel: 'app' }, { channel: 'web' }),
  initiator: fc.constantFrom('customer' as const, 'merchant' as const),
  seed: fc.string(),
});
const anyProviders = fc
  .array(fc.tuple(fc.constantFrom(...PROVIDERS), fc.constantFrom(OFFER, CARDS_AT_ONCE, DISABLED)))
  .map((pairs) => new Map(pairs));
const anyAvailability = fc.record({ providers: anyProviders, circuitOpen: fc.subarray(PROVIDERS) });

describe('routing', () => {
  const passedOver: [string, Partial<Route>, Partial<RoutingRequest>][] = [
    ['inactive', { active: false }, {}],
    ['method', { method: 'upi' }, {}],
    ['currency', { currencies: ['USD'] }, {}],
    ['amount', { conditions: { amountMin: 1_001 } }, {}],
    ['amount', { conditions: { amountMin: null, amountMax: 999 } }, {}],
    ['card_brand', { conditions: { cardBrands: ['visa'] } }, { cardBrand: 'mastercard' }],
    ['card_brand', { conditions: { cardBrands: ['visa'] } }, {}],
    ['card_group', { conditions: { cardGroups: ['crdg_1'] } }, { cardGroups: ['crdg_2'] }],
    ['card_group', { conditions: { cardGroups: ['crdg_1'] } }, {}],
    ['metadata', { conditions: { metadata: { channel: 'app' } } }, { metadata: { channel: 'web' } }],
    ['metadata', { conditions: { metadata: { toString: 'x' } } }, { metadata: {} }],
    ['capture_method', { conditions: { captureMethods: ['manual'] } }, {}],
    ['initiator', { conditions: { initiators: ['merchant'] } }, {}],
    ['initiator', { conditions: { initiators: ['customer'] } }, { initiator: 'merchant' }],
    // The first condition that is not met is the reason, and the country comes last.
    ['amount', { conditions: { amountMin: 1_001, cardBrands: ['visa'] }, countries: ['IN'] }, {}],
    ['other_provider_token', {}, { tokenProvider: 'beta' }],
    ['provider_token_not_offered', { provider: 'cards' }, { tokenProvider: 'cards' }],
    ['provider_not_configured', { provider: 'unknown' }, {}],
    ['provider_account_disabled', { provider: 'off' }, {}],
    ['other_merchant_account', { provider: 'foreign' }, {}],
    ['method_not_offered', { provider: 'cards', method: 'upi' }, { method: 'upi' }],
    ['capture_method_not_offered', { provider: 'cards' }, { captureMethod: 'manual' }],
    ['country', { countries: ['IN'] }, {}],
    ['country', { excludedCountries: ['AQ'] }, { country: 'AQ' }],
  ];
  for (const [reason, routeOverrides, requestOverrides] of passedOver) {
    it(`skips a route for its ${reason}: ${JSON.stringify(routeOverrides)}`, () => {
      const decision = decideRoutes([route(routeOverrides)], request(requestOverrides), EVERYTHING_UP);
      assert.deepEqual(decision.routes, []);
      assert.equal(decision.skippedRoutes[0]?.reason, reason);
      assert.equal(decision.refusal, reason === 'country' ? 'UNSUPPORTED_REGION' : 'NO_TSP_AVAILABLE');
    });
  }

  const problems = [
    ['currency_not_offered', 'UNSUPPORTED_CURRENCY_PAIR'],
    ['amount_not_offered', 'UNSUPPORTED_CURRENCY_PAIR'],
    ['amount_outside_limits', 'LIMIT_EXCEEDED'],
    ['capture_method_not_offered', 'NO_TSP_AVAILABLE'],
  ] as const;
  for (const [reason, refusal] of problems) {
    it(`passes a provider over that says beforehand: ${reason}`, () => {
      const particular = { ...OFFER, problemWith: () => ({ reason, takes: 'something else' }) };
      const availability = {
        ...EVERYTHING_UP,
        providers: new Map([...EVERYTHING_UP.providers, ['particular', particular]]),
      };
      const first = route({ id: 'rt_0', provider: 'particular', priority: 1 });
      const alone = decideRoutes([first], request({}), availability);
      assert.equal(alone.refusal, refusal);
      assert.deepEqual(alone.skippedRoutes, [
        { routeId: 'rt_0', provider: 'particular', reason, takes: 'something else' },
      ]);
      const both = decideRoutes([first, route({ id: 'rt_1', priority: 2 })], request({}), availability);
      assert.deepEqual([both.refusal, both.routes.map(({ routeId }) => routeId)], [null, ['rt_1']]);
    });
  }

  it('takes a route whose conditions a payment meets, at their bounds and with more than they ask for', () => {
    const conditions = {
      amountMin: 1_000,
      amountMax: 1_000,
      cardBrands: ['jcb', 'visa'],
      cardGroups: ['crdg_1', 'crdg_2'],
      metadata: { channel: 'app' },
      captureMethods: ['automatic'],
      initiators: ['customer'],
    } as const;
    const payment = { cardBrand: 'visa', cardGroups: ['crdg_2'], metadata: { channel: 'app', shop: '7' } };
    const decision = decideRoutes([route({ conditions })], request(payment), EVERYTHING_UP);
    assert.equal(decision.routes.length, 1);
  });

  it('sends a token to its provider alone', () => {
    const routes = PROVIDERS.map((provider, index) => route({ id: `rt_${index}`, provider }));
    const decision = decideRoutes(routes, request({ tokenProvider: 'beta' }), EVERYTHING_UP);
    assert.deepEqual(
      decision.routes.map(({ provider }) => provider),
      ['beta'],
    );
  });

  it('ignores the countries of routes for a payment without a country', () => {
    const decision = decideRoutes([route({ countries: ['IN'] })], request({ country: null }), EVERYTHING_UP);
    assert.equal(decision.refusal, null);
  });

  it('sorts by priority, and puts providers with an open circuit last', () => {
    const routes = [
      route({ id: 'rt_1', provider: 'alpha', priority: 1 }),
      route({ id: 'rt_2', provider: 'beta', priority: 2 }),
      route({ id: 'rt_3', provider: 'gamma', priority: 3 }),
    ];
    const order = (circuitOpen: string[]): string[] =>
      decideRoutes(routes, request(), { providers: offering(PROVIDERS), circuitOpen }).routes.map(
        ({ provider }) => provider,
      );
    assert.deepEqual(order([]), ['alpha', 'beta', 'gamma']);
    assert.deepEqual(order(['alpha']), ['beta', 'gamma', 'alpha']);
  });

  it('distributes payments among routes of equal priority by weight', () => {
    const routes = [route({ id: 'rt_1', weight: 3 }), route({ id: 'rt_2', provider: 'beta', weight: 1 })];
    const draws = Array.from({ length: 4_000 }, (_, index) => {
      const decision = decideRoutes(routes, request({ seed: `pi_${index}` }), EVERYTHING_UP);
      return decision.routes[0]?.provider;
    });
    const share = draws.filter((provider) => provider === 'alpha').length / draws.length;
    assert.ok(Math.abs(share - 0.75) < 0.03, `alpha got ${share}`);
  });

  it('chooses or skips every route exactly once, and refuses exactly if none is left', () => {
    fc.assert(
      fc.property(anyRoutes, anyRequest, anyAvailability, (routes, asked, availability) => {
        const decision = decideRoutes(routes, asked, availability);
        const ids = [...decision.routes, ...decision.skippedRoutes].map(({ routeId }) => routeId).sort();
        assert.deepEqual(ids, routes.map(({ id }) => id).sort());
        assert.equal(decision.refusal !== null, decision.routes.length === 0);
      }),
    );
  });

  it('chooses only routes that fit, by circuit and priority, the same each time and for any order of routes', () => {
    fc.assert(
      fc.property(anyRoutes, anyRequest, anyAvailability, (routes, asked, availability) => {
        const decision = decideRoutes(routes, asked, availability);
        const chosen = decision.routes.map(({ routeId }) => routes.find(({ id }) => id === routeId) ?? route());
        for (const each of chosen) {
          assert.ok(each.active && each.method === asked.method);
          const offer = availability.providers.get(each.provider);
          assert.ok(typeof offer === 'object' && offer.methods.includes(asked.method));
          assert.ok(offer.captureMethods.includes(asked.captureMethod));
          assert.ok(each.currencies.length === 0 || each.currencies.includes(asked.currency));
          const { amountMin, amountMax, cardBrands = [], initiators = [] } = each.conditions ?? {};
          assert.ok((amountMin ?? 0) <= asked.amountMinor && asked.amountMinor <= (amountMax ?? Infinity));
          assert.ok(cardBrands.length === 0 || cardBrands.includes(asked.cardBrand ?? ''));
          assert.ok(initiators.length === 0 || initiators.includes(asked.initiator));
        }
        const rank = (each: Route): number =>
          (availability.circuitOpen.includes(each.provider) ? 100 : 0) + each.priority;
        const ranks = chosen.map(rank);
        assert.deepEqual(
          ranks,
          [...ranks].sort((a, b) => a - b),
        );
        assert.deepEqual(decideRoutes([...routes].reverse(), asked, availability).routes, decision.routes);
      }),
    );
  });
});

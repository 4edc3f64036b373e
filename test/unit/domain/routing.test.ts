import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decideRoutes, type Route, type RoutingRequest } from '../../../domain/routing.ts';

const PROVIDERS = ['alpha', 'beta', 'gamma'];
const EVERYTHING_UP = { configured: PROVIDERS, circuitOpen: [] };

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
  return { method: 'card', currency: 'EUR', country: 'DE', seed: 'pi_1', ...overrides };
}

const anyRoute = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  method: fc.constantFrom('card' as const, 'upi' as const),
  currencies: fc.subarray(['EUR', 'USD', 'INR']),
  countries: fc.subarray(['DE', 'IN']),
  excludedCountries: fc.subarray(['AQ', 'DE']),
  priority: fc.integer({ min: 0, max: 3 }),
  weight: fc.integer({ min: 1, max: 100 }),
  active: fc.boolean(),
});
const anyRoutes = fc
  .array(anyRoute, { maxLength: 12 })
  .map((routes) => routes.map((each, index): Route => ({ ...each, id: `rt_${index}` })));
const anyRequest = fc.record({
  method: fc.constantFrom('card' as const, 'upi' as const),
  currency: fc.constantFrom('EUR', 'USD', 'INR', 'JPY'),
  country: fc.constantFrom('DE', 'IN', 'AQ', null),
  seed: fc.string(),
});
const anyAvailability = fc.record({ configured: fc.subarray(PROVIDERS), circuitOpen: fc.subarray(PROVIDERS) });

describe('routing', () => {
  const passedOver: [string, Partial<Route>, Partial<RoutingRequest>][] = [
    ['inactive', { active: false }, {}],
    ['method', { method: 'upi' }, {}],
    ['currency', { currencies: ['USD'] }, {}],
    ['provider_not_configured', { provider: 'unknown' }, {}],
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
      decideRoutes(routes, request(), { configured: PROVIDERS, circuitOpen }).routes.map(({ provider }) => provider);
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
          assert.ok(each.active && each.method === asked.method && availability.configured.includes(each.provider));
          assert.ok(each.currencies.length === 0 || each.currencies.includes(asked.currency));
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

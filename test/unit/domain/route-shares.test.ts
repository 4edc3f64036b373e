import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decideRoutes, type Route } from '../../../domain/routing.ts';
import { sharedWeightsOf, sharePercentOf } from '../../../domain/route-shares.ts';
import { SIMULATOR_CAPABILITIES } from '../../../providers/simulator/simulator-provider.ts';

const PAYMENTS = 10_000;
/** Of χ² with so many degrees of freedom, what chance exceeds once in 100,000 times. */
const CHI_SQUARED = { 1: 19.51, 2: 23.03, 3: 25.9, 4: 28.47 } as const;

const routeWith = (weight: number, index: number): Route => ({
  id: `rt_${index}`,
  provider: `provider_${index}`,
  method: 'card',
  currencies: [],
  countries: [],
  excludedCountries: [],
  priority: 1,
  weight,
  active: true,
});
const sharing = ({ method, ...route }: Route) => ({ ...route, paymentMethod: method });

describe('the shares of routes', () => {
  for (const weights of [
    [80, 20],
    [1, 1],
    [50, 30, 20],
    [1, 2, 3, 994],
    [7, 11, 13, 17, 19],
  ]) {
    it(`are those that payments follow, by χ², with the weights ${weights.join(', ')}`, () => {
      const routes = weights.map(routeWith);
      const providers = new Map(routes.map(({ provider }) => [provider, SIMULATOR_CAPABILITIES]));
      const counts = new Map<string, number>();
      for (let index = 0; index < PAYMENTS; index += 1) {
        const payment = { method: 'card', captureMethod: 'automatic', amountMinor: 1_000, currency: 'EUR' } as const;
        const request = { ...payment, country: null, seed: `pi_${index}:0` };
        const first = decideRoutes(routes, request, { providers, circuitOpen: [] }).routes[0]?.routeId ?? 'none';
        counts.set(first, (counts.get(first) ?? 0) + 1);
      }
      const shared = sharedWeightsOf(routes.map(sharing));
      const statistic = routes.reduce((sum, route) => {
        const shown = sharePercentOf(sharing(route), shared) ?? 0;
        const expected = (PAYMENTS * shown) / 100;
        return sum + ((counts.get(route.id) ?? 0) - expected) ** 2 / expected;
      }, 0);
      const freedom = (weights.length - 1) as keyof typeof CHI_SQUARED;
      assert.ok(statistic < CHI_SQUARED[freedom], `χ² is ${statistic}: ${JSON.stringify([...counts])}`);
    });
  }

  it('are those among active routes of the method with equal priority, and none for a route that is not active', () => {
    const routes = [
      { ...sharing(routeWith(3, 1)) },
      { ...sharing(routeWith(1, 2)) },
      { ...sharing(routeWith(4, 3)), active: false },
      { ...sharing(routeWith(4, 4)), priority: 2 },
      { ...sharing(routeWith(4, 5)), paymentMethod: 'upi' },
    ];
    const weights = sharedWeightsOf(routes);
    assert.deepEqual(
      routes.map((route) => sharePercentOf(route, weights)),
      [75, 25, null, 100, 100],
    );
  });
});

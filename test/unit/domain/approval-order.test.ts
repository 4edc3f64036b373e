import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type ApprovalOrdering, type ApprovalRate, RATE_HALF_LIFE_ATTEMPTS } from '../../../domain/approval-order.ts';
import { decideRoutes, type ProviderOffer, type Route } from '../../../domain/routing.ts';

const OFFER: ProviderOffer = { methods: ['card'], captureMethods: ['automatic'], providerTokens: false };
const PROVIDERS = ['alpha', 'beta', 'gamma'];
const KEPT = 2 ** (-1 / RATE_HALF_LIFE_ATTEMPTS);

const routeTo = (provider: string, overrides: Partial<Route> = {}): Route => ({
  id: `rt_${provider}`,
  provider,
  method: 'card',
  currencies: [],
  countries: [],
  excludedCountries: [],
  priority: 1,
  weight: 1,
  active: true,
  ...overrides,
});
const rateOf = (provider: string, approvalRate: number, overrides: Partial<ApprovalRate> = {}): ApprovalRate => ({
  provider,
  currency: '',
  country: '',
  approvalRate,
  attempts: 100,
  ...overrides,
});
const ordering = (rates: readonly ApprovalRate[]): ApprovalOrdering => ({
  explorationShare: 0.1,
  minimumAttempts: 50,
  rates,
});
const unexplored = (rates: readonly ApprovalRate[]): ApprovalOrdering => ({ ...ordering(rates), explorationShare: 0 });
const decide = (
  routes: readonly Route[],
  seed: string,
  order: ApprovalOrdering | null,
  circuitOpen: readonly string[] = [],
) =>
  decideRoutes(
    routes,
    { method: 'card', captureMethod: 'automatic', amountMinor: 1_000, currency: 'EUR', country: 'DE', seed },
    { providers: new Map(PROVIDERS.map((name) => [name, OFFER])), circuitOpen, ordering: order },
  ).routes;
/** How many of so many payments go to each provider first. */
function firstOf(routes: readonly Route[], order: ApprovalOrdering, payments = 2_000): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let index = 0; index < payments; index += 1) {
    const first = decide(routes, `pi_${index}`, order)[0]?.provider ?? 'none';
    counts[first] = (counts[first] ?? 0) + 1;
  }
  return counts;
}

/** Payments one after the other, at providers that approve as often as they are told, with rates as the job keeps them. */
class Traffic {
  readonly #rates = new Map<string, { approved: number; weight: number; attempts: number }>();
  #payments = 0;

  constructor(private readonly seed: number) {}

  /** Makes so many payments, and returns which provider each went to. */
  run(payments: number, approvals: Readonly<Record<string, number>>): readonly string[] {
    return Array.from({ length: payments }, () => {
      const routes = Object.keys(approvals).map((provider) => routeTo(provider));
      const payment = `pi_${this.seed}_${(this.#payments += 1)}`;
      const provider = decide(routes, payment, ordering(this.#measured()))[0]?.provider ?? '';
      const isApproved = chance(`${payment}:outcome`) < (approvals[provider] ?? 0);
      const { approved, weight, attempts } = this.#rates.get(provider) ?? { approved: 0, weight: 0, attempts: 0 };
      this.#rates.set(provider, {
        approved: approved * KEPT + (isApproved ? 1 : 0),
        weight: weight * KEPT + 1,
        attempts: attempts + 1,
      });
      return provider;
    });
  }

  #measured(): readonly ApprovalRate[] {
    return [...this.#rates].map(([provider, { approved, weight, attempts }]) =>
      rateOf(provider, approved / weight, { attempts }),
    );
  }
}

function chance(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
const shareOf = (provider: string, taken: readonly string[]): number =>
  taken.filter((each) => each === provider).length / taken.length;

describe('the order by approval rate', () => {
  it('sends all but the exploration share to the highest rate, and the rest to the others evenly', () => {
    const routes = PROVIDERS.map((provider) => routeTo(provider));
    const rates = [rateOf('alpha', 0.7), rateOf('beta', 0.9), rateOf('gamma', 0.6)];
    const { alpha = 0, beta = 0, gamma = 0 } = firstOf(routes, ordering(rates));
    assert.ok(Math.abs(beta / 2_000 - 0.9) < 0.03, `beta got ${beta}`);
    assert.ok(Math.abs(alpha - gamma) < 60, `alpha got ${alpha}, gamma ${gamma}`);
    const decision = decide(routes, 'pi_2', unexplored(rates));
    assert.deepEqual(
      decision.map(({ provider, place }) => [provider, place?.by, place?.approvalRate, place?.attempts]),
      [
        ['beta', 'approval_rate', 0.9, 100],
        ['alpha', 'approval_rate', 0.7, 100],
        ['gamma', 'approval_rate', 0.6, 100],
      ],
    );
  });

  it('orders by weight as long as no provider has the minimum of attempts', () => {
    const routes = [routeTo('alpha', { weight: 3 }), routeTo('beta')];
    const rates = [rateOf('alpha', 0.1, { attempts: 49 }), rateOf('beta', 0.9, { attempts: 49 })];
    for (let index = 0; index < 200; index += 1) {
      const weighted = decide(routes, `pi_${index}`, null).map(({ provider }) => provider);
      const decision = decide(routes, `pi_${index}`, ordering(rates));
      assert.equal(decision[0]?.provider, weighted[0]);
      assert.equal(decision[0]?.place?.by, 'weight');
    }
  });

  it('gives a provider that is added later its share by weight at once', () => {
    const routes = PROVIDERS.map((provider) => routeTo(provider));
    const { gamma = 0 } = firstOf(routes, ordering([rateOf('alpha', 0.7), rateOf('beta', 0.9)]));
    assert.ok(Math.abs(gamma / 2_000 - 1 / 3) < 0.04, `gamma got ${gamma}`);
  });

  it('takes the rate of the payments most like this one that has the minimum of attempts', () => {
    const routes = [routeTo('alpha'), routeTo('beta')];
    const rates = [
      rateOf('alpha', 0.9),
      rateOf('alpha', 0.5, { currency: 'EUR' }),
      rateOf('alpha', 0.99, { currency: 'EUR', country: 'DE', attempts: 10 }),
      rateOf('beta', 0.7),
    ];
    const decision = decide(routes, 'pi_2', unexplored(rates));
    const alpha = decision.find(({ provider }) => provider === 'alpha');
    assert.deepEqual([alpha?.place?.approvalRate, decision[0]?.provider], [0.5, 'beta']);
  });

  it('keeps priorities and open circuits before every rate', () => {
    const routes = [
      routeTo('alpha', { priority: 1 }),
      routeTo('beta', { priority: 2 }),
      routeTo('gamma', { priority: 2 }),
    ];
    const rates = [rateOf('alpha', 0.1), rateOf('beta', 0.9), rateOf('gamma', 0.8)];
    const orderOf = (circuitOpen: readonly string[]) =>
      decide(routes, 'pi_2', unexplored(rates), circuitOpen).map(({ provider }) => provider);
    assert.deepEqual(orderOf([]), ['alpha', 'beta', 'gamma']);
    assert.deepEqual(orderOf(['beta']), ['alpha', 'gamma', 'beta']);
  });

  it('has every route once, the same each time, whatever the rates', () => {
    const anyRates = fc.array(
      fc.record({
        provider: fc.constantFrom(...PROVIDERS),
        currency: fc.constantFrom('', 'EUR'),
        country: fc.constant(''),
        approvalRate: fc.double({ min: 0, max: 1, noNaN: true }),
        attempts: fc.integer({ min: 0, max: 200 }),
      }),
      { maxLength: 6 },
    );
    const anyRoutes = fc.array(fc.tuple(fc.constantFrom(...PROVIDERS), fc.integer({ min: 1, max: 2 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(anyRoutes, anyRates, fc.string(), (made, rates, seed) => {
        const routes = made.map(([provider, priority], index) => routeTo(provider, { id: `rt_${index}`, priority }));
        const decision = decide(routes, seed, ordering(rates));
        assert.deepEqual(decision.map(({ routeId }) => routeId).sort(), routes.map(({ id }) => id).sort());
        assert.deepEqual(decide([...routes].reverse(), seed, ordering(rates)), decision);
      }),
    );
  });

  it('has 80 % of the payments at the better of two providers after 300, and again within 300 after they swap', () => {
    const shares = Array.from({ length: 20 }, (_, seed) => {
      const traffic = new Traffic(seed);
      traffic.run(300, { alpha: 0.9, beta: 0.7 });
      const settled = shareOf('alpha', traffic.run(300, { alpha: 0.9, beta: 0.7 }));
      traffic.run(300, { alpha: 0.7, beta: 0.9 });
      return { settled, swapped: shareOf('beta', traffic.run(300, { alpha: 0.7, beta: 0.9 })) };
    });
    const mean = (name: 'settled' | 'swapped') => shares.reduce((sum, each) => sum + each[name], 0) / shares.length;
    assert.ok(mean('settled') >= 0.8 && mean('swapped') >= 0.8, JSON.stringify(shares));
  });

  it('finds out within 300 payments that a provider which is added later is the best', () => {
    const traffic = new Traffic(7);
    traffic.run(300, { alpha: 0.8, beta: 0.6 });
    const all = { alpha: 0.8, beta: 0.6, gamma: 0.95 };
    assert.ok(shareOf('gamma', traffic.run(30, all)) > 0.1);
    traffic.run(270, all);
    assert.ok(shareOf('gamma', traffic.run(300, all)) >= 0.8);
  });
});

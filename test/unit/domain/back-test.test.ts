import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { backTestFigures, measuredRates, type ReplannedPayment } from '../../../domain/back-test.ts';

const payment = (overrides: Partial<ReplannedPayment> = {}): ReplannedPayment => ({
  currency: 'EUR',
  provider: 'alpha',
  isApproved: true,
  isRated: true,
  proposed: 'alpha',
  refusal: null,
  ...overrides,
});
const several = (count: number, approved: number, overrides: Partial<ReplannedPayment>) =>
  Array.from({ length: count }, (_, index) => payment({ ...overrides, isApproved: index < approved }));

describe('the figures of a back-test', () => {
  it('count a payment that stays as it ended, and one that moves by the rate of its new provider', () => {
    const payments = [
      ...several(20, 10, { provider: 'alpha', proposed: 'beta' }),
      ...several(10, 9, { provider: 'beta', proposed: 'beta' }),
    ];
    const { approved, expectedApproved, unrated, providers, moves } = backTestFigures(
      payments,
      measuredRates(payments),
    );
    assert.equal(approved, 19);
    assert.ok(Math.abs(expectedApproved - (20 * 0.9 + 9)) < 1e-9);
    assert.equal(unrated, 0);
    assert.deepEqual(moves, [{ from: 'alpha', to: 'beta', payments: 20 }]);
    assert.deepEqual(providers, [
      { provider: 'beta', actualPayments: 10, proposedPayments: 30, approvalRate: 0.9, attempts: 10 },
      { provider: 'alpha', actualPayments: 20, proposedPayments: 0, approvalRate: 0.5, attempts: 20 },
    ]);
  });

  it('take the rate in the currency before that of all payments', () => {
    const measured = [
      ...several(10, 2, { provider: 'beta', proposed: 'beta', currency: 'EUR' }),
      ...several(30, 30, { provider: 'beta', proposed: 'beta', currency: 'USD' }),
    ];
    const expectedIn = (currency: string) =>
      backTestFigures([payment({ currency, proposed: 'beta' })], measuredRates(measured)).expectedApproved;
    assert.deepEqual([expectedIn('EUR'), expectedIn('USD'), expectedIn('JPY')], [0.2, 1, 0.8]);
  });

  it('guess nothing of a provider without 10 attempts, and of attempts that say nothing about it', () => {
    const payments = [
      ...several(9, 9, { provider: 'beta', proposed: 'beta' }),
      ...several(10, 0, { provider: 'beta', proposed: 'beta', isRated: false }),
      payment({ proposed: 'beta' }),
    ];
    const { unrated, expectedApproved, providers } = backTestFigures(payments, measuredRates(payments));
    assert.deepEqual([unrated, expectedApproved], [1, 9]);
    assert.deepEqual([providers[0]?.approvalRate, providers[0]?.attempts], [null, 9]);
  });

  it('expect nothing of a payment that would be refused, and say why', () => {
    const payments = several(3, 3, { proposed: null, refusal: 'NO_TSP_AVAILABLE' });
    const { expectedApproved, refusals, moves, unrated } = backTestFigures(payments, measuredRates(payments));
    assert.deepEqual([expectedApproved, unrated, moves.length], [0, 0, 0]);
    assert.deepEqual(refusals, [{ code: 'NO_TSP_AVAILABLE', payments: 3 }]);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { currencyExponent, SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../../../domain/money.ts';
import { fromStripeAmount, toStripeAmount } from '../../../../providers/stripe/money.ts';

const { minimum, maximum } = AMOUNT_MINOR_LIMITS;

describe('Stripe: amounts', () => {
  it('converts every amount that Stripe takes there and back, in every currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SUPPORTED_CURRENCIES),
        fc.integer({ min: minimum, max: maximum }),
        (currency, amountMinor) => {
          const amount = toStripeAmount(amountMinor, currency);
          return amount === null || fromStripeAmount(amount, currency.toLowerCase()) === amountMinor;
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes whole units of nearly every currency', () => {
    const refused = SUPPORTED_CURRENCIES.filter(
      (currency) => toStripeAmount(10 ** currencyExponent(currency), currency) === null,
    );
    assert.equal(refused.join(' '), 'BTN CUP ERN GHS IQD IRR KPW LYD MRU SDG SSP STN SVC SYP TMT VED VES XAD ZWG');
  });

  const conversions: readonly (readonly [string, number, number | null])[] = [
    ['USD', 1234, 1234],
    ['JPY', 500, 500],
    ['UGX', 5, 500],
    ['ISK', 5, 500],
    ['MGA', 500, 5],
    ['MGA', 501, null],
    ['HUF', 1234, 1234],
    ['TWD', 1234, 1234],
    ['KWD', 5120, 5120],
    ['KWD', 5124, null],
  ];
  for (const [currency, amountMinor, amount] of conversions) {
    it(`${amount === null ? 'refuses' : `sends as ${amount}`} ${amountMinor} minor units of ${currency}`, () => {
      assert.equal(toStripeAmount(amountMinor, currency), amount);
    });
  }

  it('does not round a reported amount', () => {
    assert.equal(fromStripeAmount(501, 'isk'), null);
    assert.equal(fromStripeAmount(12.5, 'usd'), null);
    assert.equal(fromStripeAmount(700, 'zzz'), 700);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { currencyExponent, SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../../../domain/money.ts';
import { PAR, tokensFor } from '../../../../providers/evm/quote.ts';

const price = fc.record({ value: fc.bigInt(1n, 10n ** 20n), decimals: fc.integer({ min: 0, max: 18 }) });

describe('the quote of a deposit', () => {
  const examples = [
    { amountMinor: 1_999, currency: 'USD', currencyPrice: PAR, token: [100_000_000n, 8, 6], units: 19_990_000n },
    { amountMinor: 1_999, currency: 'USD', currencyPrice: PAR, token: [99_990_000n, 8, 6], units: 19_992_000n },
    {
      amountMinor: 500,
      currency: 'JPY',
      currencyPrice: { value: 662_500n, decimals: 8 },
      token: [1n, 0, 6],
      units: 3_312_500n,
    },
    { amountMinor: 1, currency: 'USD', currencyPrice: PAR, token: [3n, 0, 18], units: 3_333_333_333_333_334n },
  ] as const;
  for (const { amountMinor, currency, currencyPrice, token, units } of examples) {
    it(`of ${amountMinor} minor units of ${currency} is ${units} units`, () => {
      const [value, decimals, tokenDecimals] = token;
      const tokenPrice = { value, decimals };
      assert.equal(tokensFor({ amountMinor, currency, currencyPrice, tokenPrice, tokenDecimals }), units);
    });
  }

  it('is worth the amount, and one unit less is worth less than it, in every currency', () => {
    const terms = fc.record({
      amountMinor: fc.integer({ min: AMOUNT_MINOR_LIMITS.minimum, max: AMOUNT_MINOR_LIMITS.maximum }),
      currency: fc.constantFrom(...SUPPORTED_CURRENCIES),
      currencyPrice: price,
      tokenPrice: price,
      tokenDecimals: fc.integer({ min: 0, max: 36 }),
    });
    fc.assert(
      fc.property(terms, (given) => {
        const { amountMinor, currency, currencyPrice, tokenPrice, tokenDecimals } = given;
        const units = tokensFor(given);
        // Both sides in USD, times all powers of ten.
        const asked = BigInt(amountMinor) * currencyPrice.value * 10n ** BigInt(tokenDecimals + tokenPrice.decimals);
        const unit = tokenPrice.value * 10n ** BigInt(currencyExponent(currency) + currencyPrice.decimals);
        assert.ok(units * unit >= asked);
        assert.ok((units - 1n) * unit < asked);
      }),
    );
  });
});

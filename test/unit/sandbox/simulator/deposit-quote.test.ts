import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CRYPTO_ASSET_CODES, decimalsOfAsset } from '../../../../domain/crypto-assets.ts';
import { formatUnits, quoteUnits } from '../../../../sandbox/simulator/deposit-quote.ts';

const asset = fc.constantFrom(...CRYPTO_ASSET_CODES);
const currency = fc.constantFrom('USD', 'EUR');
const amountMinor = fc.integer({ min: 1, max: 99_999_999_999 });

function quote(name: string, fiat: string, minor: number): bigint {
  const units = quoteUnits(name, fiat, minor);
  assert.ok(units !== null);
  return units;
}

describe('quotes of crypto deposits', () => {
  it('are exact to the last digit of each asset', () => {
    const shown = (name: string, fiat: string, minor: number) => formatUnits(quote(name, fiat, minor), name);
    assert.equal(shown('BTC', 'USD', 64_000_00), '1.00000000');
    assert.equal(shown('BTC', 'USD', 1), '0.00000016');
    assert.equal(shown('ETH', 'USD', 1), '0.000003125000000000');
    assert.equal(shown('ETH', 'EUR', 12_34), '0.004183050847457628');
    assert.equal(shown('USDC', 'EUR', 100), '1.086957');
    assert.equal(shown('USDT', 'USD', 99_999_999_999), '999999999.990000');
  });

  it('have all digits of the asset, and convert back to the same units', () => {
    fc.assert(
      fc.property(asset, currency, amountMinor, (name, fiat, minor) => {
        const units = quote(name, fiat, minor);
        const shown = formatUnits(units, name);
        assert.match(shown, new RegExp(`^(0|[1-9]\\d*)\\.\\d{${decimalsOfAsset(name) ?? 0}}$`));
        assert.equal(BigInt(shown.replace('.', '')), units);
      }),
    );
  });

  it('are never too low, and less than one unit too high', () => {
    fc.assert(
      fc.property(asset, currency, amountMinor, (name, fiat, minor) => {
        const units = quote(name, fiat, minor);
        const priceMinor = wholeAssetMinor(name, fiat);
        const unitsPerAsset = 10n ** BigInt(decimalsOfAsset(name) ?? 0);
        const owed = BigInt(minor) * unitsPerAsset;
        assert.ok(units * priceMinor >= owed && (units - 1n) * priceMinor < owed);
      }),
    );
  });

  it('grow with the amount', () => {
    fc.assert(
      fc.property(asset, currency, amountMinor, amountMinor, (name, fiat, one, other) => {
        assert.equal(one <= other || quote(name, fiat, one) >= quote(name, fiat, other), true);
      }),
    );
  });

  it('do not exist for other currencies and assets', () => {
    assert.equal(quoteUnits('BTC', 'GBP', 100), null);
    assert.equal(quoteUnits('DOGE', 'USD', 100), null);
    assert.equal(quoteUnits('constructor', 'USD', 100), null);
  });
});

/** The largest amount that one whole unit of an asset pays for. */
function wholeAssetMinor(name: string, fiat: string): bigint {
  const whole = 10n ** BigInt(decimalsOfAsset(name) ?? 0);
  let [low, high] = [1, 99_999_999_999];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (quote(name, fiat, middle) <= whole) low = middle;
    else high = middle - 1;
  }
  return BigInt(low);
}

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { currencyExponent, decimalOf, formatMoney, parseMoney } from '../../../../dashboard/app/core/money.ts';
import { currencyExponent as exponentOfEngine, SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';

describe("the dashboard's amounts", () => {
  it('have the digits that the engine counts in, for every currency', () => {
    const different = SUPPORTED_CURRENCIES.filter((code) => currencyExponent(code) !== exponentOfEngine(code));
    assert.deepEqual(different, []);
  });

  it('are shown with all digits of their currency', () => {
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    assert.equal(plain(formatMoney(199_900, 'EUR', 'en')), 'EUR 1,999.00');
    assert.equal(plain(formatMoney(500, 'JPY', 'en')), 'JPY 500');
    assert.equal(plain(formatMoney(1_005, 'KWD', 'en')), 'KWD 1.005');
    assert.equal(plain(formatMoney(1_999, 'EUR', 'de')), '19,99 EUR');
  });

  for (const [text, currency, minor] of [
    ['19.99', 'EUR', 1_999],
    [' 19,9 ', 'EUR', 1_990],
    ['20', 'EUR', 2_000],
    ['500', 'JPY', 500],
    ['1.005', 'KWD', 1_005],
    ['1.005', 'EUR', undefined],
    ['5.0', 'JPY', undefined],
    ['-5', 'EUR', undefined],
    ['1,000.00', 'EUR', undefined],
    ['', 'EUR', undefined],
  ] as const) {
    it(`reads "${text}" in ${currency} as ${minor === undefined ? 'no amount' : `${minor} minor units`}`, () =>
      assert.equal(parseMoney(text, currency), minor));
  }

  it('can be read as they are written into inputs', () => {
    for (const currency of ['EUR', 'JPY', 'KWD'])
      assert.equal(parseMoney(decimalOf(12_345, currency), currency), 12_345);
  });
});

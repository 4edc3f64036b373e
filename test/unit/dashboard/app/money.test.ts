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

  for (const [text, currency, minor, locale = 'en'] of [
    ['19.99', 'EUR', 1_999],
    [' 19,9 ', 'EUR', 1_990],
    ['20', 'EUR', 2_000],
    ['500', 'JPY', 500],
    ['1.005', 'KWD', 1_005],
    ['1.005', 'EUR', undefined],
    ['5.0', 'JPY', undefined],
    ['-5', 'EUR', undefined],
    ['1,000.00', 'EUR', 100_000],
    ['1,299.90', 'EUR', 129_990],
    ['EUR\u00a01,299.90', 'EUR', 129_990],
    ['1,299.90 eur', 'EUR', 129_990],
    ['1,299.90 USD', 'EUR', undefined],
    ['1.299,90', 'EUR', 129_990],
    ['1,500', 'EUR', 150_000],
    ['1,500', 'JPY', 1_500],
    ['1,500', 'KWD', 1_500_000],
    ['0,500', 'KWD', 500],
    ['1,500', 'EUR', undefined, 'de'],
    ['1,500', 'KWD', 1_500, 'de'],
    ['1.500', 'EUR', 150_000, 'de'],
    ['1.299,90', 'EUR', 129_990, 'de'],
    ['12.50', 'EUR', 1_250, 'de'],
    ['1’299.90', 'CHF', 129_990, 'de-CH'],
    ['1\u202f299,90', 'EUR', 129_990, 'fr'],
    ['12,34,567.80', 'INR', 123_456_780, 'en-IN'],
    ['١٬٢٩٩٫٩٠', 'EUR', 129_990, 'ar-EG'],
    ['1,29', 'JPY', undefined],
    ['1,2,3', 'EUR', undefined],
    ['1,299.', 'EUR', undefined],
    ['1.299.90', 'EUR', undefined],
    ['1,234.567,89', 'EUR', undefined],
    ['1,2990.00', 'EUR', undefined],
    ['12e3', 'EUR', undefined],
    ['', 'EUR', undefined],
  ] as readonly (readonly [string, string, number | undefined, string?])[]) {
    it(`reads "${text}" of ${locale} in ${currency} as ${minor === undefined ? 'no amount' : `${minor} minor units`}`, () =>
      assert.equal(parseMoney(text, currency, locale), minor));
  }

  it('can be read as they are shown and as they are written into inputs, in every locale', () => {
    for (const locale of ['en', 'de', 'de-CH', 'fr', 'en-IN', 'hi', 'sv', 'ar-EG', 'pt-BR', 'pl'])
      for (const currency of ['EUR', 'JPY', 'KWD'])
        for (const minor of [5, 1_500, 129_990, 1_234_567_890]) {
          const shown = [formatMoney(minor, currency, locale), decimalOf(minor, currency, locale)];
          assert.deepEqual(
            shown.map((text) => parseMoney(text, currency, locale)),
            [minor, minor],
            `${locale}: ${shown.join(', ')}`,
          );
        }
  });
});

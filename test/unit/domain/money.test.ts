import assert from 'node:assert/strict';
import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { currencyExponent, isSupportedCurrency, SUPPORTED_CURRENCIES } from '../../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS, decimalAmount, formatMoney, minorOfDecimal } from '../../../domain/money.ts';

const currency = fc.constantFrom(...SUPPORTED_CURRENCIES);
const amountMinor = fc.integer({ min: AMOUNT_MINOR_LIMITS.minimum, max: AMOUNT_MINOR_LIMITS.maximum });

describe('money', () => {
  it('is formatted with the digits of the currency', () => {
    assert.equal(formatMoney(1_999, 'USD'), 'USD 19.99');
    assert.equal(formatMoney(5, 'EUR'), 'EUR 0.05');
    assert.equal(formatMoney(500, 'JPY'), 'JPY 500');
    assert.equal(formatMoney(1_005, 'KWD'), 'KWD 1.005');
  });

  it('loses no minor unit in formatting', () => {
    fc.assert(
      fc.property(amountMinor, currency, (amount, code) => {
        const digits = formatMoney(amount, code).replace(/[^0-9]/g, '');
        assert.equal(Number(digits), amount);
      }),
    );
  });

  it('is read back from its decimal', () => {
    fc.assert(
      fc.property(amountMinor, currency, (amount, code) => {
        const decimal = decimalAmount(amount, code);
        assert.equal(minorOfDecimal(decimal, code), amount);
        assert.equal(minorOfDecimal(`-${decimal}`, code), -amount);
      }),
    );
  });

  it('is read from a decimal with fewer digits or further zeros, and from nothing else', () => {
    assert.equal(minorOfDecimal('12', 'USD'), 1_200);
    assert.equal(minorOfDecimal('12.5', 'USD'), 1_250);
    assert.equal(minorOfDecimal('12.500', 'USD'), 1_250);
    assert.equal(minorOfDecimal('12.00', 'JPY'), 12);
    assert.ok(Object.is(minorOfDecimal('-0.00', 'USD'), 0));
    for (const text of ['', '.5', '5.', '12.505', '1,000', '1e3', ' 1', '1\n', 'NaN', '0x10', '--1', '9'.repeat(16)]) {
      assert.equal(minorOfDecimal(text, 'USD'), null, text);
    }
  });
});

describe('supported currencies', () => {
  /** ISO 4217 changes since the list of the package, which is of 2024. */
  const ADDED = ['XCG', 'XAD'];
  const REMOVED = ['ANG', 'CUC', 'BGN'];
  /** Bonds, funds, metals, testing and "no currency": codes of the list that are not used for payments. */
  const NOT_MONEY = /^(X(AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX)|BOV|CHE|CHW|CLF|COU|MXV|USN|UYI|UYW)$/;

  it('are the payment currencies of ISO 4217', () => {
    const listed = currencyCodes.codes().filter((code) => !REMOVED.includes(code) && !NOT_MONEY.test(code));
    assert.deepEqual([...SUPPORTED_CURRENCIES], [...new Set([...listed, ...ADDED])].sort());
  });

  it('have the exponents of ISO 4217', () => {
    for (const code of SUPPORTED_CURRENCIES.filter((each) => !ADDED.includes(each))) {
      assert.equal(currencyExponent(code), currencyCodes.code(code)?.digits, code);
    }
  });

  it('include no other codes', () => {
    assert.ok(!isSupportedCurrency('XXX'));
    assert.throws(() => currencyExponent('ABC'), RangeError);
  });
});

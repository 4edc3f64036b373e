import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readerOf } from '../../../../sdk/payment-page/words/index.ts';

/** How a reader of these languages reads an amount; throws where numbers cannot be written in the reader's locale. */
function amountFor(tags: readonly string[]): string {
  return new Intl.NumberFormat(readerOf(tags).locale, { minimumFractionDigits: 2 }).format(1_234_567.5);
}

describe('the words of the payment page', () => {
  it('are those of the first language that the page has, with the numbers of its region', () => {
    for (const [tags, language, amount] of [
      [['fr', 'en-IN', 'de'], 'en', '12,34,567.50'],
      [['DE'], 'de', '1.234.567,50'],
      [['fr'], 'en', '1,234,567.50'],
    ] as const) {
      assert.deepEqual([readerOf(tags).language, amountFor(tags)], [language, amount]);
    }
  });

  it('are in the language of a tag that is malformed behind it', () => {
    for (const tag of ['de-', 'de-?', 'de-DE_1']) {
      assert.deepEqual([readerOf([tag, 'en']).language, amountFor([tag, 'en'])], ['de', '1.234.567,50'], tag);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { canBeCard, cardBrandOf } from '../../../domain/card-brand.ts';
import { containsCardNumber } from '../../../domain/card-number.ts';
import { CARD_NUMBERS, NO_CARD_NUMBERS } from '../../support/card-numbers.ts';

describe('the brand of a card', () => {
  it('is told by its number, and unknown for a number that belongs to none', () => {
    for (const [number, brand] of CARD_NUMBERS) {
      assert.ok(canBeCard(number), number);
      assert.equal(cardBrandOf(number)?.name ?? 'unknown', brand, number);
    }
  });

  it('is no condition: the length and the check digit are', () => {
    for (const number of [...NO_CARD_NUMBERS, '', '4242-4242-4242-4242']) assert.ok(!canBeCard(number), number);
  });

  it('does not hide a card number of RuPay or Mir in a text', () => {
    for (const number of ['8172 0000 0000 0005', '8201000000000000', '2200000000000004']) {
      assert.ok(containsCardNumber(`paid with ${number}`), number);
    }
  });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { containsCardNumber } from '../../../domain/card-number.ts';
import { processorTimeMs } from '../../support/processor-time.ts';

describe('card numbers in a text', () => {
  const found = [
    '4242424242424242',
    'card 4242 4242 4242 4242, thanks',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    'order 12 4242 4242 4242 4242',
    '4242 4242 4242 4242 12/30 123',
    '378282246310005',
    '3782 822463 10005',
    '2223003122003222',
    '6011000990139424',
    'pan:5555555555554444;',
    '4222222222222',
    '4242  4242  4242  4242',
    'card_4242424242424242',
    'card_4242_4242_4242_4242_paid',
    '4242\t4242\n4242\r\n4242',
    '4242 - 4242 – 4242 — 4242',
    '4242\u20114242\u22124242\u20094242',
    '4242\u200b4242\u00ad4242\u2060 4242',
    '４２４２ ４２４２ ４２４２ ４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '४२४२ ४२४२ 4242 4242',
    '𝟒𝟐𝟒𝟐 𝟒𝟐𝟒𝟐 𝟜𝟚𝟜𝟚 𝟺𝟸𝟺𝟸',
    'x4242424242424242',
    'card4242424242424242paid',
    'visa4242 4242 4242 4242',
    '4242/4242/4242/4242',
    '4242,4242,4242,4242',
    '4242, 4242, 4242, 4242',
    'pan=3782/822463/10005',
  ];
  for (const text of found) it(`are found in "${text}"`, () => assert.equal(containsCardNumber(text), true));

  const others = [
    '',
    '4242424242424243',
    '1795364570093',
    '2026112216320000',
    '+49 151 23456',
    'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
    'evt_42424242424242420f5e60718293a4b5',
    'a24242424242424242b3c4d5e6f7a8b9c0d1e2f3',
    '4,242,424,242,424,242',
    '42,42,42,42,42,42,42,42',
    '42424242424242424242',
    '42424242-4242-4242-8242-424242424242',
    'order_42424242-4242-4242-8242-424242424242',
  ];
  for (const text of others) it(`are not seen in "${text}"`, () => assert.equal(containsCardNumber(text), false));

  it('are found however the number is grouped', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 16 });
    const separator = fc.constantFrom(' ', '-', '.', '_', '\u00a0');
    fc.assert(
      fc.property(sizes, separator, (lengths, between) => {
        const groups: string[] = [];
        let rest = '4242424242424242';
        for (const length of lengths) {
          groups.push(rest.slice(0, length));
          rest = rest.slice(length);
        }
        const number = [...groups, rest].filter((group) => group !== '').join(between);
        assert.equal(containsCardNumber(`(${number})`), true);
      }),
    );
  });

  it('are never seen in a UUID', () => {
    for (let count = 0; count < 1_000; count += 1) assert.equal(containsCardNumber(randomUUID()), false);
  });

  it('are looked for in time that grows with the text alone', () => {
    const startedAt = performance.now();
    for (const text of ['4 ', '4   ', '٤ ', '4 x']) containsCardNumber(text.repeat(10_000));
    assert.ok(performance.now() - startedAt < 5_000);
  });

  it('are looked for in a long row of combining marks in about linear time', () => {
    const timeOf = (marks: number) => processorTimeMs(() => containsCardNumber('\u0300\u0323'.repeat(marks)));
    const [ofShort, ofLong] = [timeOf(2_000), timeOf(40_000)];
    assert.ok(ofLong < 100 * ofShort, `${ofLong} ms, and ${ofShort} ms for a twentieth`);
  });

  it('are looked for in a text of digits about as fast as in one of letters', () => {
    // No number of fives has a valid check digit, so that all of them are tried.
    for (const [digits, letters] of [
      ['5 ', 'x '],
      ['٥ ', 'س '],
    ] as const) {
      const ofLetters = processorTimeMs(() => containsCardNumber(letters.repeat(10_000)), 40);
      const ofDigits = processorTimeMs(() => assert.equal(containsCardNumber(digits.repeat(10_000)), false), 40);
      assert.ok(ofDigits < 100 * ofLetters, `${ofDigits} ms, and ${ofLetters} ms for letters`);
    }
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { redactProviderResponse, redactReply, redactText } from '../../../domain/redaction.ts';
import { processorTimeMs } from '../../support/processor-time.ts';

const CARD_NUMBER_LIKE = /\d(?:[ .-]?\d){11,}/;

const cardNumber = fc
  .tuple(fc.stringMatching(/^\d{12,19}$/), fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '\u200b'))
  .map(([digits, separator]) => (digits.match(/\d{1,4}/g) ?? []).join(separator));

const hostileText = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), cardNumber, fc.constant('\ud83d'), fc.constant('\0')))
  .map((parts) => parts.join(''));

const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 8 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 40 }),
    tie('object'),
  ),
  object: fc.dictionary(hostileText, tie('value'), { maxKeys: 40 }),
})).value;

describe('redaction of texts', () => {
  it('keeps nothing that could be a card number', () => {
    fc.assert(
      fc.property(hostileText, cardNumber, hostileText, (before, number, after) => {
        assert.doesNotMatch(redactText(`${before}${number}${after}`), CARD_NUMBER_LIKE);
      }),
    );
  });

  it('redacts the tokens in the addresses of payment links and of returns', () => {
    const token = 'diqfNoS-vzQebSAKDNCgo9cPKRSw2Bx9';
    for (const [text, redacted] of [
      [`https://api.example/pay/${token}`, 'https://api.example/pay/[redacted]'],
      [`see /PAY/${token}/state.`, 'see /PAY/[redacted]/state.'],
      [`/returns/att_1/${token}?a=b`, '/returns/att_1/[redacted]?a=b'],
      [`/docs/${token}`, `/docs/${token}`],
    ] as const) {
      assert.equal(redactText(text), redacted);
    }
  });

  it('redacts a whole word that has an @, in linear time', () => {
    assert.equal(redactText(`to ${'x'.repeat(300)}@shop.example, <a.b@c.example>`), 'to [redacted] <[redacted]>');
    const elapsedMs = processorTimeMs(() => redactReply(`${'x'.repeat(400_000)}@`));
    assert.ok(elapsedMs < 100, `${elapsedMs} ms`);
  });

  it('redacts a number that truncation at 500 characters would split', () => {
    const redacted = redactText(`${'x'.repeat(490)}4242424242424242`);
    assert.doesNotMatch(redacted, /4242/);
  });

  it('returns text that is bounded and that PostgreSQL can store', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const redacted = redactText(text.repeat(3));
        assert.ok(redacted.length <= 500);
        assert.doesNotMatch(redacted, /[\p{Cs}\0]/u);
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    assert.doesNotMatch(redactText(`${'x'.repeat(499)}😀`), /\p{Cs}/u);
  });

  const examples = {
    'PAN 4242 4242 4242 4242.': 'PAN [redacted].',
    '4242-4242-4242-4242': '[redacted]',
    '4242.4242.4242.4242': '[redacted]',
    '４２４２４２４２４２４２４２４２': '[redacted]',
    'refused for someone@example.org': 'refused for [redacted]',
    'vpa success@upi not found': 'vpa [redacted] not found',
    'code 51, amount 1234': 'code 51, amount 1234',
  };
  for (const [text, expected] of Object.entries(examples)) {
    it(`turns "${text}" into "${expected}"`, () => {
      assert.equal(redactText(text), expected);
    });
  }
});

describe('redaction of provider responses', () => {
  it('keeps nothing that could be a card number, in keys or values', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        assert.doesNotMatch(JSON.stringify(redactProviderResponse({ value })), CARD_NUMBER_LIKE);
      }),
    );
  });

  it('is bounded for any response', () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(1_000)]));
    const deep = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, wide]));
    const size = JSON.stringify(redactProviderResponse({ deep, deeper: { deep, list: [deep, deep] } })).length;
    assert.ok(size < 200_000, `${size} characters`);
  });

  const sensitive = ['cvc', 'CVV2', 'securityCode', 'card_number', 'pan', 'primaryPan', 'card_pan', 'cardholderName'];
  for (const key of [...sensitive, 'email', 'billingAddress', 'vpa', 'access_token', 'iban']) {
    it(`removes the value of ${key}`, () => {
      assert.deepEqual(redactProviderResponse({ error: { [key]: 'x' } }), { error: { [key]: '[redacted]' } });
    });
  }

  it('keeps the data that helps support staff', () => {
    const response = { status: 422, body: { error: { code: 'expired', company: 'Acme', fields: [{ field: 'x' }] } } };
    assert.deepEqual(redactProviderResponse(response), response);
  });

  it('redacts numbers as long as a card number', () => {
    assert.deepEqual(redactProviderResponse({ a: 4242424242424242, b: 12 }), { a: '[redacted]', b: 12 });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  amount,
  metadata,
  referenceQuery,
  returnAddress,
  shownName,
  shownText,
  text,
  timeText,
} from '../../../../contract/schemas/common.ts';
import { confirmPaymentIntentBody } from '../../../../contract/schemas/payment-intent-requests.ts';
import { fieldErrorsIn } from '../../../../contract/validation.ts';

describe('times in requests', () => {
  for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-03T04:05:06+05:30']) {
    it(`may be ${time}`, () => assert.deepEqual(fieldErrorsIn(timeText, time), []));
  }

  for (const time of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']) {
    it(`may not be ${time}, which the database would reject`, () => {
      assert.deepEqual(
        fieldErrorsIn(timeText, time).map(({ code }) => code),
        ['invalid'],
      );
    });
  }
});

describe('an amount in a request', () => {
  for (const [value, says] of [
    ['1999', /as a number without quotes; got "1999"\. Send the digits alone, without quotes/],
    ['19.99', /got "19\.99"\. Send the digits alone, without quotes, point/],
    [19.99, /got 19\.99\. Send 1999 for 19\.99 EUR/],
    [19.99 * 100, /got a fraction near 1999\. It is not whole.* Round the result: Math\.round/],
    [4.35 * 100, /got a fraction near 435\. It is not whole/],
    [undefined, /got nothing\./],
  ] as const) {
    it(`may not be ${JSON.stringify(value)}, and the message says what to do`, () => {
      const [error] = fieldErrorsIn(amount, value);
      assert.match(error?.message ?? '', says);
    });
  }
});

describe('a payment method in a request', () => {
  it('may not be an id, and the message names the field for one', () => {
    for (const paymentMethod of ['pm_0192f0c1a2b37c4d8e5f60718293a4b5', 'tok_visa']) {
      const [error] = fieldErrorsIn(confirmPaymentIntentBody, { paymentMethod });
      assert.deepEqual([error?.field, error?.code], ['paymentMethod', 'type']);
      assert.match(error?.message ?? '', /got a text\..*send its id as paymentMethodId instead/);
    }
  });
});

describe('a text in a request', () => {
  it('is not looked through if it is too long', () => {
    const { error } = text(20).safeParse('4242424242424242 \u0000 4242424242424242');
    assert.deepEqual(
      error?.issues.map(({ code }) => code),
      ['too_big'],
    );
  });
});

describe('pairs of metadata', () => {
  it('are refused with what is wrong, in their names too', () => {
    const tooMany = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 'v']));
    for (const [schema, pairs, code, says] of [
      [metadata, { 'a\u0000': 'v' }, 'invalid', /^Expected text without NUL/],
      [metadata, { ['k'.repeat(101)]: 'v' }, 'too_long', /at most 100 characters/],
      [metadata, { '4242424242424242': 'v' }, 'invalid', /^This looks like a card number/],
      [referenceQuery.metadata, tooMany, 'too_long', /^Expected at most 10 pairs/],
    ] as const) {
      const [error] = fieldErrorsIn(schema, pairs);
      assert.equal(error?.code, code);
      assert.match(error?.message ?? '', says);
    }
  });
});

describe('a name that is shown', () => {
  const codePoint = (value: string): string => `U+${(value.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

  for (const unseen of [
    '\n',
    '\u00ad',
    '\u061c',
    '\u180e',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2062',
    '\u2069',
    '\u2800',
    '\u3164',
    '\ufeff',
  ])
    it(`has no ${codePoint(unseen)}, which nobody sees or which turns text round`, () => {
      assert.deepEqual(
        fieldErrorsIn(shownName(20), `Sh${unseen}op`).map(({ code }) => code),
        ['invalid'],
      );
    });

  it('may be in any script, and have emoji', () => {
    for (const name of ['Zoë O’Neill-山田', 'فروشگاه\u200cها', 'क्\u200dष', 'Shop 👩‍💻 ❤️ 🏴\u{e0067}\u{e0062}\u{e007f}'])
      assert.deepEqual(fieldErrorsIn(shownName(40), name), [], name);
  });
});

describe('what a customer is shown or sent to', () => {
  const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
    schema.safeParse(value).success;

  it('has no characters that turn a description round or are not seen, and may have several lines', () => {
    const description = shownText(100);
    assert.ok(accepts(description, 'Two lamps\nand a lamp shade\twith fringes, 1.5 m'));
    for (const unseen of ['\u202e', '\u2066', '\u200b', '\u0007']) {
      assert.ok(!accepts(description, `Lamp${unseen}shade`), unseen.codePointAt(0)?.toString(16));
    }
  });

  it('is no address with a user name, which looks like a host, or with line feeds', () => {
    assert.ok(accepts(returnAddress, 'https://shop.example/orders/7?a=b#c'));
    for (const wrong of [
      'https://bank.example@evil.example/',
      'https://:secret@shop.example/',
      'https://shop.example/\nSet-Cookie:a',
      'https://shop\r\n.example/',
      'https://shop.example/a b',
    ]) {
      assert.ok(!accepts(returnAddress, wrong), JSON.stringify(wrong));
    }
  });

  it('is no security code in metadata, by whatever name, while other numbers are', () => {
    for (const pairs of [{ cvc: '123' }, { 'card.cvv': ' 1234' }, { 'security code': '999' }, { CVV2: '321' }]) {
      assert.ok(!accepts(metadata, pairs), JSON.stringify(pairs));
    }
    assert.ok(accepts(metadata, { cvc: 'checked', order: '123', discount: '1234' }));
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { validate } from '../../../../contract/validation.ts';
import { CARD_NUMBERS, NO_CARD_NUMBERS } from '../../../support/card-numbers.ts';
import { paymentMethod } from '../../../../contract/schemas/payment-method.ts';

describe('the number of a card', () => {
  const accept = (number: string, cvc = '123') =>
    validate(paymentMethod, { type: 'card', card: { number, expiryMonth: 12, expiryYear: 2040, cvc } });

  it('is any of 12 to 19 digits with a valid check digit', () => {
    for (const [number] of CARD_NUMBERS) accept(number);
    for (const number of NO_CARD_NUMBERS) assert.throws(() => accept(number), number);
  });

  it('decides how many digits the security code has, where its brand is known', () => {
    for (const cvc of ['123', '1234']) accept('9860123456789015', cvc);
    assert.throws(() => accept('8172000000000005', '1234'));
    assert.throws(() => accept('378282246310005', '123'));
  });
});

describe('the expiry of a card', () => {
  const { now: realNow } = Date;
  const realZone = process.env.TZ;
  afterEach(() => {
    Date.now = realNow;
    if (realZone === undefined) delete process.env.TZ;
    else process.env.TZ = realZone;
  });

  const accept = (expiryMonth: number, expiryYear: number) =>
    validate(paymentMethod, {
      type: 'card',
      card: { number: '4242424242424242', expiryMonth, expiryYear, cvc: '123' },
    });
  const itIs = (time: string) => {
    Date.now = () => Date.parse(time);
  };
  const messageOf = (expected: RegExp) => (error: unknown) => {
    assert.match(JSON.stringify(Reflect.get(Object(error), 'details')), expected);
    return true;
  };

  for (const zone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
    it(`is the end of its month everywhere on earth, on a server in ${zone}`, () => {
      process.env.TZ = zone;
      for (const time of ['2033-12-01T00:00:00Z', '2033-12-01T11:59:59Z']) {
        itIs(time);
        accept(11, 2033);
        assert.throws(() => accept(10, 2033), messageOf(/has expired\. .* from 11\/2033 on/));
      }
      itIs('2033-12-01T12:00:00Z');
      assert.throws(() => accept(11, 2033), messageOf(/has expired\. .* from 12\/2033 on/));
      accept(12, 2033);
    });

    it(`is at most 19 years ahead, on a server in ${zone}`, () => {
      process.env.TZ = zone;
      itIs('2033-12-31T23:59:59Z');
      for (const month of [1, 12]) accept(month, 2052);
      assert.throws(() => accept(1, 2053), messageOf(/at most 19 years ahead/));
      itIs('2034-01-01T00:00:00Z');
      accept(12, 2053);
    });
  }
});

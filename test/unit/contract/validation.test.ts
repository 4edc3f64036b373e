import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { z } from 'zod';
import { ApiError } from '../../../domain/api-error.ts';
import {
  updatePaymentIntentBody,
  cancelPaymentIntentBody,
  createPaymentIntentBody,
  listPaymentIntentsQuery,
} from '../../../contract/schemas/payment-intent-requests.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import { validate } from '../../../contract/validation.ts';

const SOUND = { amount: 1_000, currency: 'USD' };
const CARD = { number: '4242 4242 4242 4242', expiryMonth: 12, expiryYear: new Date().getFullYear() + 3, cvc: '123' };
const withCard = (card: object) => ({ ...SOUND, paymentMethod: { type: 'card', card: { ...CARD, ...card } } });

function refusalOf(schema: z.ZodType, input: unknown): ApiError {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: `accepted ${JSON.stringify(input)}` });
}

/** `field:code` of every problem that an answer lists. */
function problemsOf({ details }: ApiError): string[] {
  const { fields, field, reason } = JSON.parse(JSON.stringify(details));
  return fields === undefined
    ? [`${field}:${reason}`]
    : fields.map((one: { field: string; code: string }) => `${one.field}:${one.code}`);
}

describe('validation', () => {
  const refused: readonly (readonly [what: string, input: unknown, code: string, problems: readonly string[]])[] = [
    ['an absent amount', { currency: 'USD' }, 'INVALID_REQUEST', ['amount:required']],
    ['an absent currency', { amount: 1 }, 'INVALID_REQUEST', ['currency:required']],
    ['both absent', {}, 'VALIDATION_ERROR', ['amount:required', 'currency:required']],
    ['an amount of zero', { ...SOUND, amount: 0 }, 'INVALID_AMOUNT', ['amount:min']],
    ['a negative amount', { ...SOUND, amount: -5 }, 'INVALID_AMOUNT', ['amount:min']],
    ['an amount too large', { ...SOUND, amount: 100_000_000_000 }, 'INVALID_AMOUNT', ['amount:max']],
    ['an absurd amount', { ...SOUND, amount: 1e308 }, 'INVALID_AMOUNT', ['amount:max']],
    ['an amount beyond doubles', { ...SOUND, amount: Infinity }, 'INVALID_AMOUNT', ['amount:max']],
    ['a fraction', { ...SOUND, amount: 10.5 }, 'VALIDATION_ERROR', ['amount:type']],
    ['an amount as text', { ...SOUND, amount: '10' }, 'VALIDATION_ERROR', ['amount:type']],
    ['no amount but null', { ...SOUND, amount: null }, 'VALIDATION_ERROR', ['amount:type']],
    ['an unsupported currency', { ...SOUND, currency: 'XTS' }, 'INVALID_CURRENCY', ['currency:invalid']],
    ['a malformed currency', { ...SOUND, currency: 'usd' }, 'VALIDATION_ERROR', ['currency:invalid']],
    ['two problems with codes', { amount: 0, currency: 'XTS' }, 'VALIDATION_ERROR', ['amount:min', 'currency:invalid']],
    ['an unknown field', { ...SOUND, capture: 1 }, 'VALIDATION_ERROR', ['capture:unknown']],
    [
      'a prototype',
      JSON.parse('{"amount":1,"currency":"USD","__proto__":{}}'),
      'VALIDATION_ERROR',
      ['__proto__:unknown'],
    ],
    [
      'a prototype in metadata',
      { ...SOUND, metadata: JSON.parse('{"__proto__":"x"}') },
      'VALIDATION_ERROR',
      ['metadata.__proto__:unknown'],
    ],
    ['a country that is none', { ...SOUND, country: 'ZZ' }, 'VALIDATION_ERROR', ['country:invalid']],
    ['NUL in a text', { ...SOUND, description: 'a\0b' }, 'VALIDATION_ERROR', ['description:invalid']],
    ['half a surrogate pair', { ...SOUND, metadata: { a: '\ud800' } }, 'VALIDATION_ERROR', ['metadata.a:invalid']],
    ['a long text', { ...SOUND, description: 'a'.repeat(1_001) }, 'VALIDATION_ERROR', ['description:too_long']],
    [
      '51 pairs',
      { ...SOUND, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v'])) },
      'VALIDATION_ERROR',
      ['metadata:too_long'],
    ],
    ['a script as address', { ...SOUND, returnUrl: 'javascript:1' }, 'VALIDATION_ERROR', ['returnUrl:invalid']],
    ['too soon an expiry', { ...SOUND, expiresInSeconds: 59 }, 'VALIDATION_ERROR', ['expiresInSeconds:min']],
    ['too late an expiry', { ...SOUND, expiresInSeconds: 86_401 }, 'VALIDATION_ERROR', ['expiresInSeconds:max']],
    ['confirm without a method', { ...SOUND, confirm: true }, 'MISSING_REQUIRED_FIELD', ['paymentMethod:required']],
    [
      'a method that is not available',
      { ...SOUND, paymentMethod: { type: 'cheque' } },
      'INVALID_PAYMENT_METHOD',
      ['paymentMethod.type:invalid'],
    ],
    ['a method without type', { ...SOUND, paymentMethod: {} }, 'INVALID_REQUEST', ['paymentMethod.type:required']],
    [
      'a type that is no text',
      { ...SOUND, paymentMethod: { type: 7 } },
      'VALIDATION_ERROR',
      ['paymentMethod.type:type'],
    ],
    [
      'a card method without card',
      { ...SOUND, paymentMethod: { type: 'card' } },
      'MISSING_REQUIRED_FIELD',
      ['paymentMethod.card:required'],
    ],
    ['a card without CVC', withCard({ cvc: undefined }), 'MISSING_REQUIRED_FIELD', ['paymentMethod.card.cvc:required']],
    [
      'a number that fails Luhn',
      withCard({ number: '4242424242424241' }),
      'VALIDATION_ERROR',
      ['paymentMethod.card.number:invalid'],
    ],
    ['an expired card', withCard({ expiryYear: 2_020 }), 'VALIDATION_ERROR', ['paymentMethod.card.expiryYear:invalid']],
    ['month 13', withCard({ expiryMonth: 13 }), 'VALIDATION_ERROR', ['paymentMethod.card.expiryMonth:max']],
    [
      'four digits of CVC on a Visa',
      withCard({ cvc: '1234' }),
      'VALIDATION_ERROR',
      ['paymentMethod.card.cvc:too_long'],
    ],
    [
      'three digits of CVC on an Amex',
      withCard({ number: '378282246310005' }),
      'VALIDATION_ERROR',
      ['paymentMethod.card.cvc:too_short'],
    ],
    [
      'a malformed VPA',
      { ...SOUND, paymentMethod: { type: 'upi', upi: { vpa: 'no at' } } },
      'VALIDATION_ERROR',
      ['paymentMethod.upi.vpa:invalid'],
    ],
  ];

  for (const [what, input, code, problems] of refused) {
    it(`rejects ${what} with ${code}`, () => {
      const error = refusalOf(createPaymentIntentBody, input);
      assert.deepEqual([error.code, problemsOf(error)], [code, problems]);
    });
  }

  it('never repeats card data', () => {
    const error = refusalOf(createPaymentIntentBody, withCard({ number: '4000000000000003', cvc: '98765' }));
    const shown = JSON.stringify([error.message, error.details]);
    assert.ok(!shown.includes('4000000000000003') && !shown.includes('98765'));
  });

  it('counts one character in the singular', () => {
    const error = refusalOf(createPaymentIntentBody, { ...SOUND, reference: '' });
    assert.match(error.message, /Expected at least 1 character; got 0 characters\./);
  });

  it('counts characters as the limit does, and says that there are no fields', () => {
    const long = refusalOf(createPaymentIntentBody, { ...SOUND, description: '😀'.repeat(1_001) });
    assert.match(long.message, /Expected at most 1000 characters; got 1001 characters\./);
    assert.match(refusalOf(NO_FIELDS, { expand: '1' }).message, /^expand: Expected no fields; got this one\./);
  });

  it('lists at most 100 field errors, with shortened names', () => {
    const input = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]));
    const problems = problemsOf(refusalOf(createPaymentIntentBody, { ...SOUND, ...input }));
    assert.equal(problems.length, 100);
    assert.ok(problems.every((one) => one.length < 220));
  });

  it('accepts valid input, and fills in defaults', () => {
    const body = validate(createPaymentIntentBody, withCard({}));
    assert.equal(body.paymentMethod?.type === 'card' && body.paymentMethod.card?.number, '4242424242424242');
    assert.deepEqual([body.captureMethod, body.confirm, body.expiresInSeconds], ['automatic', false, 1_800]);
    assert.equal(validate(createPaymentIntentBody, { amount: 99_999_999_999, currency: 'KWD' }).amount, 99_999_999_999);
    assert.equal(validate(cancelPaymentIntentBody, {}).reason, 'requested_by_customer');
    assert.deepEqual(validate(updatePaymentIntentBody, { customerId: null }), { customerId: null });
  });

  for (const [query, code, problems] of [
    [{ page: '0' }, 'VALIDATION_ERROR', ['page:min']],
    [{ page: 'one' }, 'VALIDATION_ERROR', ['page:type']],
    [{ page: ['1', '2'] }, 'VALIDATION_ERROR', ['page:type']],
    [{ limit: '101' }, 'VALIDATION_ERROR', ['limit:max']],
    [{ limit: '1e2' }, 'VALIDATION_ERROR', ['limit:type']],
    [{ status: 'paid' }, 'VALIDATION_ERROR', ['status:invalid']],
    [{ currency: 'XTS' }, 'INVALID_CURRENCY', ['currency:invalid']],
    [{ createdAfter: 'yesterday' }, 'VALIDATION_ERROR', ['createdAfter:invalid']],
    [{ sort: 'asc' }, 'VALIDATION_ERROR', ['sort:unknown']],
  ] as const) {
    it(`rejects the query ${JSON.stringify(query)}`, () => {
      const error = refusalOf(listPaymentIntentsQuery, query);
      assert.deepEqual([error.code, problemsOf(error)], [code, problems]);
    });
  }

  it('parses a query string', () => {
    const query = { limit: '100', createdAfter: '2026-01-01T00:00:00+01:00' };
    assert.deepEqual(validate(listPaymentIntentsQuery, query), {
      page: 1,
      limit: 100,
      createdAfter: new Date('2025-12-31T23:00:00Z'),
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { z } from 'zod';
import { customerBody } from '../../../../contract/schemas/customer.ts';
import { createPaymentIntentBody } from '../../../../contract/schemas/payment-intent-requests.ts';
import { createRefundBody } from '../../../../contract/schemas/refund.ts';
import { validate } from '../../../../contract/validation.ts';

const NUMBER = '4242 4242-4242 4242';
const PAYMENT = { amount: 1_999, currency: 'EUR' };

describe('a card number in a text that is stored in the clear', () => {
  const inputs: readonly (readonly [string, z.ZodType, object, string])[] = [
    ['reference of a payment', createPaymentIntentBody, { ...PAYMENT, reference: NUMBER }, 'reference'],
    ['description of a payment', createPaymentIntentBody, { ...PAYMENT, description: NUMBER }, 'description'],
    ['value of its metadata', createPaymentIntentBody, { ...PAYMENT, metadata: { note: NUMBER } }, 'metadata.note'],
    ['unknown field', createPaymentIntentBody, { ...PAYMENT, [NUMBER]: '' }, '[redacted]'],
    [
      'name of its metadata',
      createPaymentIntentBody,
      { ...PAYMENT, metadata: { [NUMBER]: '' } },
      'metadata.[redacted]',
    ],
    [
      'address to come back to',
      createPaymentIntentBody,
      { ...PAYMENT, returnUrl: 'https://shop.example/4242424242424242' },
      'returnUrl',
    ],
    ['name of a customer', customerBody, { name: `A. Customer ${NUMBER}` }, 'name'],
    ['e-mail address', customerBody, { email: '4242424242424242@shop.example' }, 'email'],
    ['phone number', customerBody, { phone: NUMBER }, 'phone'],
    ['phone number with a plus sign', customerBody, { phone: `+${NUMBER}` }, 'phone'],
    [
      'metadata of a refund',
      createRefundBody,
      { paymentIntentId: 'pi_1', metadata: { note: NUMBER } },
      'metadata.note',
    ],
  ];
  for (const [name, schema, input, field] of inputs) {
    it(`is refused: ${name}`, () => {
      assert.throws(
        () => validate(schema, input),
        (error: Error & { code?: string; details?: { fields: readonly { field: string; message: string }[] } }) => {
          assert.equal(error.code, 'VALIDATION_ERROR');
          const [found] = error.details?.fields ?? [];
          assert.match(found?.message ?? '', /looks like a card number|no fields but/);
          assert.doesNotMatch(JSON.stringify(error.details), /4242/);
          assert.equal(found?.field, field);
          return true;
        },
      );
    });
  }

  it('is not seen in a phone number with its country code', () => {
    assert.deepEqual(
      validate(customerBody.pick({ phone: true }), { phone: '+4242 424 242 420 6' }).phone,
      '+4242 424 242 420 6',
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withPaymentId } from '../../../domain/return-url.ts';

describe('the return to the merchant', () => {
  const cases: Readonly<Record<string, string>> = {
    'https://shop.example/back': 'https://shop.example/back?paymentIntentId=pi_1',
    'https://shop.example/back?': 'https://shop.example/back?paymentIntentId=pi_1',
    'https://shop.example/back?order=7&q=a%20b+c': 'https://shop.example/back?order=7&q=a%20b+c&paymentIntentId=pi_1',
    'https://shop.example/#/orders/7': 'https://shop.example/?paymentIntentId=pi_1#/orders/7',
    'https://shop.example/#/orders?id=7': 'https://shop.example/?paymentIntentId=pi_1#/orders?id=7',
    'https://shop.example/back?paymentIntentId=pi_0&order=7': 'https://shop.example/back?paymentIntentId=pi_1&order=7',
    'https://shop.example/back?otherpaymentIntentId=x':
      'https://shop.example/back?otherpaymentIntentId=x&paymentIntentId=pi_1',
  };
  for (const [returnUrl, expected] of Object.entries(cases)) {
    it(`carries the payment's id, and is otherwise unchanged: ${returnUrl}`, () => {
      assert.equal(withPaymentId(returnUrl, 'pi_1'), expected);
    });
  }
});

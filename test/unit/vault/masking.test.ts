import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { maskPaymentMethod, maskVpa } from '../../../vault/masking.ts';

describe('masking', () => {
  it('shows only brand, last four digits and expiry of a card', () => {
    const card = { type: 'card', number: '4242424242424242', cvc: '123', holderName: 'A. Person' } as const;
    assert.deepEqual(maskPaymentMethod({ ...card, expiryMonth: 12, expiryYear: 2030 }), {
      type: 'card',
      brand: 'visa',
      last4: '4242',
      expiryMonth: 12,
      expiryYear: 2030,
    });
  });

  it('shows the brand unknown for a number that belongs to none, and RuPay for its own', () => {
    const brandOf = (number: string) => {
      const details = { type: 'card', number, cvc: '123', holderName: null, expiryMonth: 1, expiryYear: 2031 } as const;
      const masked = maskPaymentMethod(details);
      return masked.type === 'card' && masked.brand;
    };
    assert.equal(brandOf('9860123456789015'), 'unknown');
    assert.equal(brandOf('8172000000000005'), 'rupay');
  });

  it('writes brands of two words with an underscore', () => {
    const amex = { type: 'card', number: '378282246310005', cvc: '1234', holderName: null } as const;
    const masked = maskPaymentMethod({ ...amex, expiryMonth: 1, expiryYear: 2031 });
    assert.equal(masked.type === 'card' && masked.brand, 'american_express');
  });

  it('shows the first and the last letter of a VPA', () => {
    assert.deepEqual(maskPaymentMethod({ type: 'upi', vpa: 'success@upi' }), { type: 'upi', vpa: 's*****s@upi' });
  });

  it('never shows a whole name, however short', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9.]{1,20}$/), (name) => {
        const masked = maskVpa(`${name}@bank`);
        assert.ok(masked.includes('*') && masked.endsWith('@bank'));
        assert.notEqual(masked, `${name}@bank`);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ApiError } from '../../../../domain/api-error.ts';
import { createRefundBody } from '../../../../contract/schemas/refund.ts';
import { validate } from '../../../../contract/validation.ts';

const refusalOf = (body: object) => {
  try {
    validate(createRefundBody, body);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, details: error.details };
  }
  return assert.fail('the body was taken');
};

describe('the request body of a refund', () => {
  it('names a capture or a payment intent, with or without an amount', () => {
    assert.deepEqual(validate(createRefundBody, { paymentIntentId: 'pi_1' }), {
      paymentIntentId: 'pi_1',
      metadata: {},
    });
    const body = {
      transactionId: 'txn_1',
      amount: 1,
      reason: 'duplicate',
      metadata: { order: '7' },
    };
    assert.deepEqual(validate(createRefundBody, body), body);
  });

  it('requires one of the two', () => {
    assert.deepEqual(refusalOf({ amount: 5 }), {
      code: 'MISSING_REQUIRED_FIELD',
      details: { field: 'paymentIntentId', reason: 'required' },
    });
  });

  it('rejects both of them', () => {
    const { code, details } = refusalOf({ transactionId: 'txn_1', paymentIntentId: 'pi_1' });
    assert.equal(code, 'VALIDATION_ERROR');
    assert.deepEqual(details?.['fields'], [
      {
        field: 'transactionId',
        code: 'invalid',
        message: 'Expected either paymentIntentId or transactionId; got both. Leave one of them out.',
      },
    ]);
  });

  it('rejects an amount of zero, other reasons and unknown fields', () => {
    assert.equal(refusalOf({ paymentIntentId: 'pi_1', amount: 0 }).code, 'INVALID_AMOUNT');
    assert.equal(refusalOf({ paymentIntentId: 'pi_1', reason: 'mood' }).code, 'VALIDATION_ERROR');
    assert.equal(refusalOf({ paymentIntentId: 'pi_1', currency: 'USD' }).code, 'VALIDATION_ERROR');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  dispositionAfter,
  idempotencyKeyOf,
  type KeyDisposition,
  executionWithoutKey,
  keyStateOf,
} from '../../../../api/idempotency/idempotency.ts';
import { ERROR_CATALOGUE, isErrorCode } from '../../../../domain/error-catalogue.ts';

const NOTHING_STORED = { responseKeyId: null, responseBody: null, responseSecretBody: null };

describe('idempotency', () => {
  const CODES: Readonly<Record<KeyDisposition, readonly string[]>> = {
    store_response: [
      'METHOD_NOT_ALLOWED',
      'NOT_ACCEPTABLE',
      'RESOURCE_NOT_FOUND',
      'PAYMENT_INTENT_NOT_FOUND',
      'TRANSACTION_NOT_FOUND',
      'CUSTOMER_NOT_FOUND',
      'REFUND_NOT_FOUND',
      'DUPLICATE_REQUEST',
      'STATE_CONFLICT',
      'PAYMENT_FAILED',
      'PAYMENT_DECLINED',
      'PAYMENT_EXPIRED',
      'INSUFFICIENT_FUNDS',
      'CARD_DECLINED',
      'FRAUD_DETECTED',
      'LIMIT_EXCEEDED',
      'REFUND_FAILED',
      'REFUND_NOT_ALLOWED',
      'REFUND_WINDOW_CLOSED',
      'UNSUPPORTED_REGION',
      'UNSUPPORTED_CURRENCY_PAIR',
      'PROVIDER_VALIDATION_ERROR',
      'PAYMENT_STUCK',
      'PAYMENT_RETRIES_EXHAUSTED',
      'TSP_PAYMENT_FAILED',
      'CRYPTO_DEPOSIT_FAILED',
    ],
    end_execution: [
      'UNAUTHORIZED',
      'INVALID_SIGNATURE',
      'TIMESTAMP_EXPIRED',
      'API_KEY_REVOKED',
      'API_KEY_EXPIRED',
      'IP_NOT_WHITELISTED',
      'INSUFFICIENT_PERMISSIONS',
      'FORBIDDEN',
      'MERCHANT_SUSPENDED',
      'INVALID_REQUEST',
      'VALIDATION_ERROR',
      'INVALID_AMOUNT',
      'INVALID_CURRENCY',
      'INVALID_PAYMENT_METHOD',
      'MISSING_REQUIRED_FIELD',
      'REFUND_AMOUNT_EXCEEDED',
      'CHANNEL_LIMIT_MIN_EXCEEDED',
      'CHANNEL_LIMIT_MAX_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
      'TSP_ERROR',
      'TSP_TIMEOUT',
      'TSP_UNAVAILABLE',
      'NO_TSP_AVAILABLE',
      'PROVIDER_UNAVAILABLE',
    ],
    release_lock: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  };

  for (const disposition of ['store_response', 'end_execution', 'release_lock'] as const) {
    it(`decides which outcomes lead to "${disposition}"`, () => {
      const codes = Object.keys(ERROR_CATALOGUE).filter(
        (code) => isErrorCode(code) && dispositionAfter(code) === disposition,
      );
      assert.deepEqual(codes.sort(), [...CODES[disposition]].sort());
    });
  }

  const running = { fingerprint: 'aa', responseStatus: null, ...NOTHING_STORED };
  const answered = { ...running, responseStatus: 201, responseKeyId: 'k', responseBody: Buffer.from('x') };

  it('replays a stored response to the same request only', () => {
    const replay = { kind: 'replay', status: 201, keyId: 'k', body: answered.responseBody, secretBody: null };
    assert.deepEqual(keyStateOf(answered, ['aa']), replay);
    assert.deepEqual(keyStateOf(answered, ['newer key', 'aa']), replay);
    assert.deepEqual(keyStateOf(answered, ['bb']), { kind: 'other_request' });
  });

  it('treats a key that is in use, or was just claimed by another request, as in flight', () => {
    assert.deepEqual(keyStateOf(running, ['aa']), { kind: 'in_flight' });
    assert.deepEqual(keyStateOf({ ...running, responseStatus: 503 }, ['aa']), { kind: 'in_flight' });
    assert.deepEqual(keyStateOf(undefined, ['aa']), { kind: 'in_flight' });
    assert.deepEqual(keyStateOf(running, ['bb']), { kind: 'other_request' });
  });

  it('accepts 1 to 255 printable characters as a key', () => {
    const keyOf = (...keys: string[]) => idempotencyKeyOf({ headersDistinct: { 'x-idempotency-key': keys } });
    assert.equal(idempotencyKeyOf({ headersDistinct: {} }), undefined);
    assert.equal(keyOf('order 42 ~'), 'order 42 ~');
    assert.equal(keyOf('k'.repeat(255))?.length, 255);
    for (const key of ['', 'k'.repeat(256), 'tab\there', 'caf\u00e9', 'order 4242 4242 4242 4242']) {
      assert.throws(() => keyOf(key), { code: 'VALIDATION_ERROR' });
    }
    assert.throws(() => keyOf('order 42', 'order 42'), { code: 'VALIDATION_ERROR', message: /2 of them/ });
  });

  it('gives each request without a key an operation of its own', () => {
    assert.notEqual(executionWithoutKey('pi_1').operationId, executionWithoutKey('pi_1').operationId);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rateLimitExceeded, rateLimitHeaders } from '../../../../../api/middleware/rate-limits/rate-limit.ts';
import { requestIdFor } from '../../../../../api/middleware/request-id.ts';
import { isId } from '../../../../../domain/ids.ts';

describe('rate-limit headers', () => {
  it('contain limit, remaining requests, and the reset in Unix seconds', () => {
    const resetAtMs = Date.parse('2026-06-01T12:00:00.001Z');
    assert.deepEqual(rateLimitHeaders({ limit: 100, remaining: 7, resetAtMs, exceeded: false }), {
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '7',
      'X-RateLimit-Reset': String(Date.parse('2026-06-01T12:00:01Z') / 1_000),
    });
  });

  it('contain the time to retry after', () => {
    const error = rateLimitExceeded({ limit: 100, remaining: 0, resetAtMs: Date.now() - 5, exceeded: true });
    assert.equal(error.code, 'RATE_LIMIT_EXCEEDED');
    assert.equal(error.retryAfterSeconds, 1);
    assert.deepEqual(Object.keys(error.details ?? {}), ['limit', 'remaining', 'resetAt']);
  });
});

describe('request id', () => {
  it("is the client's own when it is well-formed", () => {
    assert.equal(requestIdFor('order-42.retry_1'), 'order-42.retry_1');
  });

  it('is a new one otherwise', () => {
    for (const header of [
      undefined,
      '',
      'short',
      'with space',
      'a'.repeat(129),
      '4242424242424242',
      'card.4242-4242-4242-4242',
      ['req_12345678'],
    ]) {
      const requestId = requestIdFor(header);
      assert.ok(isId('request', requestId) && requestId !== header);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rateLimitExceeded, rateLimitHeaders } from '../../../../http/rate-limits/rate-limit.ts';
import { requestIdFor } from '../../../../http/request-id.ts';
import { isId } from '../../../../domain/ids.ts';

describe('rate-limit headers', () => {
  it('contain limit, remaining requests, and the reset in Unix seconds', () => {
    const resetAtMs = Date.parse('2026-06-01T12:00:00.001Z');
    assert.deepEqual(rateLimitHeaders({ limit: 100, remaining: 7, resetAtMs, exceeded: false }), {
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '7',
      'X-RateLimit-Reset': String(Date.parse('2026-06-01T12:00:01Z') / 1_000),
    });
  });

  it('contain the time to retry after, and say which limit was met', () => {
    const status = { limit: 100, remaining: 0, resetAtMs: Date.now() - 5, exceeded: true };
    assert.match(rateLimitExceeded(status, 'at a time').message, /expected at most 100 at a time, and/);
    const error = rateLimitExceeded(status);
    assert.match(error.message, /expected at most 100 a minute, and/);
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

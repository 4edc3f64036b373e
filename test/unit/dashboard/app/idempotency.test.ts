import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createIdempotencyKeys } from '../../../../dashboard/app/core/idempotency.ts';
import { RequestError } from '../../../../dashboard/app/core/request.ts';

/** The keys of tries with the same content, each of which fails in its way. */
async function keysOfTries(...failures: readonly Error[]): Promise<string[]> {
  const withKey = createIdempotencyKeys();
  const keys: string[] = [];
  for (const failure of failures) {
    const send = (key: string) => {
      keys.push(key);
      return Promise.reject(failure);
    };
    await assert.rejects(withKey({ amount: '10.00' }, send), failure);
  }
  return keys;
}

const failure = (status: number, code: string) => new RequestError('No.', { status, code });

describe('the idempotency key of a retry', () => {
  it('is the same while the outcome of the first try is unknown', async () => {
    const unknown = [failure(0, 'NO_RESPONSE'), failure(503, 'SERVICE_UNAVAILABLE'), failure(409, 'DUPLICATE_REQUEST')];
    const keys = await keysOfTries(...unknown, failure(429, 'RATE_LIMIT_EXCEEDED'));
    assert.equal(new Set(keys).size, 1);
  });

  it('is a new one after an error that the API would replay', async () => {
    const conflict = failure(409, 'STATE_CONFLICT');
    const keys = await keysOfTries(
      conflict,
      failure(400, 'CARD_DECLINED'),
      failure(404, 'RESOURCE_NOT_FOUND'),
      conflict,
    );
    assert.equal(new Set(keys).size, 4);
  });

  it('depends on the content', async () => {
    const withKey = createIdempotencyKeys();
    const keyOf = (content: unknown) => withKey(content, (key) => Promise.resolve(key));
    assert.equal(await keyOf({ amount: '1' }), await keyOf({ amount: '1' }));
    assert.notEqual(await keyOf({ amount: '1' }), await keyOf({ amount: '2' }));
  });
});

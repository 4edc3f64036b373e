import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused, createdIntentOf } from '../support/envelopes.ts';
import { createMerchant } from '../support/merchants.ts';
import { INTENTS } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';

const LIMIT = 5;

describe('several API processes on one database', function () {
  this.timeout(MINUTE_MS);
  let apis: readonly ApiProcess[];

  before(async () => {
    apis = await Promise.all([1, 2].map(() => startApi({ RATE_LIMIT_SANDBOX: String(LIMIT) })));
  });

  after('stop them, which they do in order', async () => {
    assert.deepEqual(await Promise.all((apis ?? []).map((api) => api.stop())), [0, 0]);
  });

  const baseUrlOf = (index: number): string => apis[index % apis.length]?.baseUrl ?? '';

  it('hold one limit exactly', async () => {
    const { credentials } = await createMerchant();
    const asked = Array.from({ length: 4 * LIMIT }, (_, index) =>
      request({ method: 'GET', path: INTENTS }, { ...credentials, baseUrl: baseUrlOf(index) }),
    );
    const answers = await Promise.all(asked);
    const taken = answers.filter(({ status }) => status === 200);
    assert.equal(taken.length, LIMIT);
    assert.deepEqual(
      taken.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining'))).sort(),
      Array.from({ length: LIMIT }, (_, remaining) => remaining),
    );
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const { details, type } = assertRefused(answer, 429, 'RATE_LIMIT_EXCEEDED');
      assert.equal(type, 'rate_limit_error');
      const reset = Number(answer.headers.get('X-RateLimit-Reset'));
      const resetAtMs = Date.parse(String(details?.['resetAt']));
      assert.deepEqual({ ...details, resetAt: '' }, { limit: LIMIT, remaining: 0, resetAt: '' });
      assert.equal(reset, Math.ceil(resetAtMs / SECOND_MS));
      const retryAfter = Number(answer.headers.get('Retry-After'));
      assert.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter}`);
    }
  });

  it('remember answers for each other', async () => {
    const { credentials } = await createMerchant();
    const ask = (index: number) =>
      request(
        {
          method: 'POST',
          path: INTENTS,
          body: { amount: 1_000, currency: 'USD' },
          headers: { 'X-Idempotency-Key': 'one' },
        },
        { ...credentials, baseUrl: baseUrlOf(index) },
      );
    const first = await ask(0);
    const second = await ask(1);
    createdIntentOf(first);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('Idempotent-Replayed'), 'true');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused, createdIntentOf } from '../support/envelopes.ts';
import { createMerchant } from '../support/merchants.ts';
import { INTENTS } from '../support/payments.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

const AT_ONCE = 80;
const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' };

describe('an API process with more payments than it can answer in time', function () {
  this.timeout(2 * MINUTE_MS);
  let api: ApiProcess;
  let credentials: Credentials;
  let account: string;

  before(async () => {
    api = await startApi({ CONFIRM_TARGET_MS: '500', RATE_LIMIT_SANDBOX: '100000' });
    const merchant = await createMerchant();
    credentials = { ...merchant.credentials, baseUrl: api.baseUrl };
    account = merchant.merchantAccountId;
  });
  after(() => api?.stop());

  const pay = (index: number): Promise<Answer> => {
    const body = { amount: 1_000, currency: 'USD', confirm: true, paymentMethod: { type: 'card', card: CARD } };
    const headers = { 'X-Idempotency-Key': keyOf(index) };
    return request({ method: 'POST', path: INTENTS, body, headers }, credentials);
  };
  const keyOf = (index: number): string => `payment ${index}`;
  const intents = async (): Promise<number> => {
    const rows = await queryStack('SELECT id FROM payment_intent WHERE merchant_account_id = $1', [account]);
    return rows.length;
  };
  const recordedKeys = async (): Promise<string[]> => {
    const statement = 'SELECT key FROM idempotency_record WHERE merchant_account_id = $1';
    return (await queryStack<{ readonly key: string }>(statement, [account])).map(({ key }) => key);
  };

  it('refuses some with 503 before it writes anything, answers reads, and accepts the same requests later', async () => {
    const asked = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => pay(index)));
    assert.equal((await request({ method: 'GET', path: INTENTS }, credentials)).status, 200);
    const answers = await asked;
    // On a busy machine, accepted payments may end with a 503 as well, because a server behind the API did not answer in time.
    const refused = [...answers.entries()].filter(([, answer]) => isRefusal(answer));
    const paid = [...answers.entries()].filter(([, { status }]) => status !== 503);
    assert.ok(refused.length > 0 && paid.length > 0, `${refused.length} refused, ${paid.length} paid`);
    for (const [, answer] of refused) assert.equal(answer.headers.get('Retry-After'), '2');
    const recorded = await recordedKeys();
    const keysOf = (some: typeof refused) => some.map(([index]) => keyOf(index));
    assert.deepEqual(
      keysOf(refused).filter((key) => recorded.includes(key)),
      [],
    );
    assert.deepEqual(
      keysOf(paid).filter((key) => !recorded.includes(key)),
      [],
    );
    assert.equal(await intents(), recorded.length);

    for (const [index] of refused.slice(0, 3)) assert.equal(createdIntentOf(await pay(index)).status, 'succeeded');
    assert.equal(await intents(), recorded.length + Math.min(refused.length, 3));
  });
});

function isRefusal(answer: Answer): boolean {
  if (answer.status !== 503) return false;
  return assertRefused(answer, 503, 'SERVICE_UNAVAILABLE').message.includes('this request did nothing');
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused, createdIntentOf, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/merchants.ts';
import { INTENTS, PREFER_ASYNC } from '../support/payments.ts';
import { type Answer, request } from '../support/signed-request.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';

const storedMethod = z.object({ data: z.object({ id: z.string() }) });

/** Ten times what is set, in the sandbox. */
const LIMIT = 10;

describe('card testing', function () {
  this.timeout(2 * MINUTE_MS);
  let api: ApiProcess;
  let credentials: Credentials;

  before(async () => {
    api = await startApi({ DECLINES_PER_CARD: '1' });
    credentials = { ...(await createMerchant()).credentials, baseUrl: api.baseUrl };
  });
  after(() => api.stop());

  const pay = (paymentMethod: object, headers = {}): Promise<Answer> => {
    const body = { amount: 1_999, currency: 'USD', confirm: true, paymentMethod };
    return request({ method: 'POST', path: INTENTS, body, headers }, credentials);
  };

  it('leaves alone a card that is approved again and again, whoever waits for the outcome', async () => {
    for (let paid = 0; paid < LIMIT; paid += 1) createdIntentOf(await pay(card('approved'), PREFER_ASYNC));
    // The first ten are counted until their outcomes have come.
    for (let paid = 0; paid < LIMIT; paid += 1) {
      await eventually(async () => createdIntentOf(await pay(card('approved'))));
    }
  });

  it('is refused once a card was declined too often, before a provider is called', async () => {
    for (let declined = 0; declined < LIMIT; declined += 1)
      assertRefused(await pay(card('declined')), 400, 'CARD_DECLINED');
    const refused = await pay(card('declined'));
    assertRefused(refused, 429, 'RATE_LIMIT_EXCEEDED');
    assert.ok(Number(refused.headers.get('Retry-After')) > 60);
    const body = { amount: 1_999, currency: 'USD', paymentMethod: card('declined') };
    const created = createdIntentOf(await request({ method: 'POST', path: INTENTS, body }, credentials));
    const path = `${INTENTS}/${created.id}`;
    assertRefused(
      await request({ method: 'POST', path: `${path}/confirm`, body: {} }, credentials),
      429,
      'RATE_LIMIT_EXCEEDED',
    );
    const stored = await request(
      { method: 'POST', path: `${path}/payment-methods`, body: { paymentMethod: card('declined') } },
      credentials,
    );
    const paymentMethodId = storedMethod.parse(stored.body).data.id;
    assertRefused(
      await request({ method: 'POST', path: `${path}/confirm`, body: { paymentMethodId } }, credentials),
      429,
      'RATE_LIMIT_EXCEEDED',
    );
    const intent = intentOf(await request({ method: 'GET', path }, credentials));
    assert.deepEqual([intent.status, intent.attempts], ['requires_payment_method', []]);
  });

  it('is refused once 3-D Secure was left undone too often, and not while many customers are in it', async () => {
    const begun = [];
    while (begun.length <= LIMIT) begun.push(createdIntentOf(await pay(card('threeDSecure'))));
    for (const { id } of begun)
      await request({ method: 'POST', path: `${INTENTS}/${id}/cancel`, body: {} }, credentials);
    await eventually(async () => assertRefused(await pay(card('threeDSecure')), 429, 'RATE_LIMIT_EXCEEDED'));
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { apiKeyResource } from '../../contract/schemas/api-key.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused, createdIntentOf, intentOf } from '../support/envelopes.ts';
import { createMerchant } from '../support/merchants.ts';
import { createPayment, INTENTS } from '../support/payments.ts';
import { assertOneWinnerAtATime, type Client, clientOf, resourcePageOf } from '../support/resources.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { type Answer, request } from '../support/signed-request.ts';

/** Concurrent changes of customers, accounts and keys are tested with those resources. */
describe('simultaneous changes', function () {
  this.timeout(2 * MINUTE_MS);
  let send: Client;

  before(async () => {
    send = clientOf((await createMerchant()).credentials);
  });

  /** The successful answers; asserts that all others are conflicts. */
  function goodOf(answers: readonly Answer[]): readonly Answer[] {
    const good = answers.filter(({ status }) => status === 200 || status === 201);
    for (const other of answers.filter((answer) => !good.includes(answer))) {
      assertRefused(other, 409, 'STATE_CONFLICT');
    }
    return good;
  }

  const createKey = async (): Promise<string> => {
    const answer = await send('POST', '/api-keys', { name: 'Key of a race', scopes: ['customers:read'] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return apiKeyResource.parse(answer.body.data).id;
  };
  const keysNow = async () => resourcePageOf(await send('GET', '/api-keys?limit=100'), apiKeyResource).data;

  it('of an intent apply one PATCH completely', async () => {
    const { id } = createdIntentOf(await send('POST', '/payment-intents', { amount: 1_000, currency: 'USD' }));
    const termsOf = (index: number) => [2_000 + index, `Order ${index}`, String(index)];
    const change = (index: number) =>
      send('PATCH', `/payment-intents/${id}`, {
        amount: 2_000 + index,
        description: `Order ${index}`,
        metadata: { order: String(index) },
      });
    await assertOneWinnerAtATime(change, {
      valueOf: termsOf,
      read: async () => {
        const { amount, description, metadata } = intentOf(await send('GET', `/payment-intents/${id}`));
        return [amount, description, metadata['order']];
      },
    });
  });

  it('of an intent by PATCH and confirm charge the amount that the intent shows', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, () => createPayment({ amount: 1_000 })));
    await Promise.all(
      payments.map(async (payment) => {
        const update = request({ method: 'PATCH', path: `${INTENTS}/${payment.id}`, body: { amount: 3_000 } });
        const [updated, confirmed] = await Promise.all([update, payment.confirm(card('approved'))]);
        goodOf([updated]);
        assert.equal(intentOf(confirmed).status, 'succeeded');
        const { amount, amountCaptured } = await payment.read();
        assert.equal(amount, updated.status === 200 ? 3_000 : 1_000);
        assert.equal(amountCaptured, amount);
      }),
    );
  });

  it('of a key by rotation create one successor', async () => {
    const id = await createKey();
    const before = (await keysNow()).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('POST', `/api-keys/${id}/rotate`, {})));
    assert.equal(goodOf(answers).length, 1);
    assert.equal((await keysNow()).length, before + 1);
  });

  it('of a key by rotation, PATCH and revocation are each applied completely or not at all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createKey();
      const before = (await keysNow()).length;
      const [rotated, updated, revoked] = await Promise.all([
        send('POST', `/api-keys/${id}/rotate`, { overlapSeconds: 3_600 }),
        send('PATCH', `/api-keys/${id}`, { name: 'Changed' }),
        send('POST', `/api-keys/${id}/revoke`, {}),
      ]);
      const good = goodOf([rotated, updated, revoked]);
      assert.ok(good.length > 0);
      const keys = await keysNow();
      const key = keys.find((each) => each.id === id);
      assert.equal(keys.length - before, good.includes(rotated) ? 1 : 0);
      assert.equal(key?.name, good.includes(updated) ? 'Changed' : 'Key of a race');
      assert.equal(key?.revokedAt !== null, good.includes(revoked));
    }
  });
});

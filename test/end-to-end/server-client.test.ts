import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { type Client, createClient, PaymentEngineError } from '../../sdk/server/index.ts';
import { createMerchant } from '../support/merchants.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { getStack } from '../support/stack.ts';

describe('the server client', function () {
  this.timeout(MINUTE_MS);
  let client: Client;

  before(() => {
    client = createClient(getStack().sandbox);
  });

  it('pays, captures and refunds', async () => {
    const intent = await client.paymentIntents.create({ amount: 2_500, currency: 'EUR', captureMethod: 'manual' });
    assert.match(intent.clientSecret, /^pi_/);
    const held = await client.paymentIntents.confirm(intent.id, { paymentMethod: card('approved') });
    assert.deepEqual([held.status, held.amountCapturable], ['requires_capture', 2_500]);
    const paid = await client.paymentIntents.capture(intent.id, { amount: 2_000 });
    assert.deepEqual([paid.status, paid.amountCaptured], ['succeeded', 2_000]);
    const refund = await client.refunds.create({ paymentIntentId: intent.id, amount: 500 });
    assert.deepEqual([refund.status, refund.amount], ['succeeded', 500]);
    const kinds: string[] = [];
    for await (const { type } of client.transactions.iterate({ paymentIntentId: intent.id })) kinds.push(type);
    assert.deepEqual(kinds.sort(), ['authorization', 'capture', 'refund']);
    const timeline = await client.paymentIntents.timeline(intent.id);
    assert.ok(timeline.length > 3);
  });

  it('creates one payment for one idempotency key', async () => {
    const order = { amount: 700, currency: 'EUR' };
    const first = await client.paymentIntents.create(order);
    const key = { idempotencyKey: `order-${first.id}` };
    const [second, third] = [
      await client.paymentIntents.create(order, key),
      await client.paymentIntents.create(order, key),
    ];
    assert.notEqual(second.id, first.id);
    assert.equal(third.id, second.id);
  });

  it('throws a decline with the payment after it', async () => {
    const { id } = await client.paymentIntents.create({ amount: 2_500, currency: 'EUR' });
    const thrown: unknown = await client.paymentIntents
      .confirm(id, { paymentMethod: card('declined') })
      .catch((error: unknown) => error);
    assert.ok(thrown instanceof PaymentEngineError);
    assert.deepEqual([thrown.code, thrown.status, thrown.type], ['CARD_DECLINED', 400, 'payment_error']);
    assert.equal(thrown.paymentIntent?.status, 'requires_payment_method');
    const invalid: unknown = await client.paymentIntents
      .create({ amount: -1, currency: 'eur' })
      .catch((e: unknown) => e);
    assert.ok(invalid instanceof PaymentEngineError);
    assert.deepEqual(invalid.details?.fields?.map(({ field }) => field).sort(), ['amount', 'currency']);
  });

  it('throws a decline of a creation with the client secret, for another try on a page', async () => {
    const thrown: unknown = await client.paymentIntents
      .create({ amount: 2_500, currency: 'EUR', confirm: true, paymentMethod: card('declined') })
      .catch((error: unknown) => error);
    assert.ok(thrown instanceof PaymentEngineError);
    assert.match(thrown.paymentIntent?.clientSecret ?? '', /^pi_/);
  });

  it('reads all pages of a list', async () => {
    const merchant = createClient((await createMerchant()).credentials);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push((await merchant.customers.create({ name })).id);
    const found: string[] = [];
    for await (const { id } of merchant.customers.iterate({ limit: 2 })) found.push(id);
    assert.deepEqual(found, ids.toReversed());
  });

  it('calls the operations for routes, limits, keys and endpoints', async () => {
    const merchant = createClient((await createMerchant()).credentials);
    const customer = await merchant.customers.create({ name: 'A', country: 'DE' });
    assert.equal((await merchant.customers.replace(customer.id, { name: 'B' })).country, null);
    assert.deepEqual(await merchant.customers.delete(customer.id), {
      id: customer.id,
      object: 'customer',
      deleted: true,
    });
    const limit = await merchant.channelLimits.put('card', 'EUR', { minimumAmount: 10, maximumAmount: 90 });
    assert.equal(limit.maximumAmount, 90);
    const payment = { amount: 91, currency: 'EUR', paymentMethod: 'card', country: 'DE' } as const;
    const { refusal } = await merchant.paymentRoutes.simulate(payment);
    assert.equal(refusal?.code, 'CHANNEL_LIMIT_MAX_EXCEEDED');
    const key = await merchant.apiKeys.create({ name: 'Reader', scopes: ['customers:read'] });
    assert.equal((await merchant.apiKeys.revoke(key.id)).status, 'revoked');
    const events = await merchant.events.list();
    assert.equal(events.pagination.page, 1);
  });
});

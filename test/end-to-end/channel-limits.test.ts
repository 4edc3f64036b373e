import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { channelLimitResource, deletedChannelLimit } from '../../contract/schemas/channel-limit.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused, intentOf } from '../support/envelopes.ts';
import { createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { assertOneWinnerAtATime, clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { card } from '../../sandbox/test-payment-methods.ts';

const PATH = '/channel-limits/card/USD';

describe('channel limits', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const put = async (minimumAmount: number, maximumAmount: number, path = PATH) =>
    resourceOf(await send('PUT', path, { minimumAmount, maximumAmount }), channelLimitResource);

  it('are set, listed and deleted', async () => {
    const path = '/channel-limits/crypto/ISK';
    const created = await put(1, 99_999_999_999, path);
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = created;
    assert.deepEqual(fields, {
      id: 'crypto:ISK',
      object: 'channel_limit',
      environment: 'sandbox',
      paymentMethod: 'crypto',
      currency: 'ISK',
      minimumAmount: 1,
      maximumAmount: 99_999_999_999,
    });
    const replaced = await put(5, 5, path);
    assert.deepEqual([replaced.minimumAmount, replaced.maximumAmount], [5, 5]);
    assert.equal(replaced.createdAt, created.createdAt);
    const { data } = resourcePageOf(await send('GET', '/channel-limits'), channelLimitResource);
    assert.deepEqual(data[0], replaced);
    const found = resourcePageOf(await send('GET', '/channel-limits?currency=INR'), channelLimitResource);
    assert.deepEqual(found.data.map(({ id }) => id).sort(), ['card:INR', 'upi:INR']);
    const both = await send('GET', '/channel-limits?currency=INR&paymentMethod=upi');
    assert.equal(resourcePageOf(both, channelLimitResource).pagination.total, 1);
    assert.deepEqual(resourceOf(await send('DELETE', path), deletedChannelLimit), {
      id: 'crypto:ISK',
      object: 'channel_limit',
      deleted: true,
    });
    assertRefused(await send('DELETE', path), 404, 'RESOURCE_NOT_FOUND');
  });

  it('apply to the next confirm, in every account of the merchant, until they are deleted', async () => {
    const { credentials } = await createAccount(merchant.merchantId);
    const payment = await createPayment({ amount: 1_000 }, credentials);
    const confirm = () => payment.confirm(card('approved'));
    await put(1_001, 2_000);
    const details = { amount: 1_000, currency: 'USD', paymentMethod: 'card' };
    const tooSmall = assertRefused(await confirm(), 422, 'CHANNEL_LIMIT_MIN_EXCEEDED');
    const { paymentIntent: _first, ...ofSmall } = { ...tooSmall.details };
    assert.deepEqual(ofSmall, { ...details, minimumAmount: 1_001, maximumAmount: 2_000 });
    assert.equal(tooSmall.type, 'validation_error');
    await put(1, 999);
    const tooLarge = assertRefused(await confirm(), 422, 'CHANNEL_LIMIT_MAX_EXCEEDED');
    const { paymentIntent: _second, ...ofLarge } = { ...tooLarge.details };
    assert.deepEqual(ofLarge, { ...details, minimumAmount: 1, maximumAmount: 999 });
    assert.equal((await payment.read()).status, 'requires_payment_method');
    assert.equal((await send('DELETE', PATH)).status, 200);
    assert.equal(intentOf(await confirm()).status, 'succeeded');
  });

  it('are rejected with every field error, and stay unchanged', async () => {
    await put(100, 200);
    const odd = await send('PUT', '/channel-limits/cash/usd', {
      minimumAmount: 0,
      maximumAmount: 100_000_000_000,
      x: 1,
    });
    assertRefused(odd, 422, 'VALIDATION_ERROR');
    assert.deepEqual(problemsOf(odd), [
      'currency:invalid',
      'maximumAmount:max',
      'minimumAmount:min',
      'paymentMethod:invalid',
      'x:unknown',
    ]);
    const crossed = await send('PUT', PATH, { minimumAmount: 300, maximumAmount: 200, x: 1 });
    assert.deepEqual(problemsOf(crossed), ['maximumAmount:min', 'x:unknown']);
    const amounts = { minimumAmount: 1, maximumAmount: 2 };
    assertRefused(await send('PUT', '/channel-limits/cash/USD', amounts), 422, 'INVALID_PAYMENT_METHOD');
    assertRefused(await send('PUT', '/channel-limits/card/XXX', amounts), 422, 'INVALID_CURRENCY');
    assertRefused(await send('DELETE', '/channel-limits/cash/USD'), 422, 'INVALID_PAYMENT_METHOD');
    assertRefused(await send('PUT', PATH, { minimumAmount: 1 }), 400, 'INVALID_REQUEST');
    assertRefused(await send('GET', PATH), 405, 'METHOD_NOT_ALLOWED');
    const { data } = resourcePageOf(
      await send('GET', '/channel-limits?currency=USD&paymentMethod=card'),
      channelLimitResource,
    );
    assert.deepEqual([data[0]?.minimumAmount, data[0]?.maximumAmount], [100, 200]);
  });

  it('accept one of ten concurrent updates at a time', async () => {
    const change = (index: number) => send('PUT', PATH, { minimumAmount: 1, maximumAmount: index + 10 });
    await assertOneWinnerAtATime(change, {
      valueOf: (index) => index + 10,
      read: async () => {
        const answer = await send('GET', '/channel-limits?currency=USD&paymentMethod=card');
        return resourcePageOf(answer, channelLimitResource).data[0]?.maximumAmount ?? 0;
      },
    });
  });

  it('belong to one merchant and one environment', async () => {
    await put(7, 8);
    const { credentials } = await createAccount(merchant.merchantId, 'production');
    const live = clientOf(credentials);
    assert.equal(resourcePageOf(await live('GET', '/channel-limits'), channelLimitResource).pagination.total, 0);
    assertRefused(await live('DELETE', PATH), 404, 'RESOURCE_NOT_FOUND');
    const other = clientOf((await createMerchant()).credentials);
    assert.equal((await other('PUT', PATH, { minimumAmount: 1, maximumAmount: 2 })).status, 200);
    const { data } = resourcePageOf(await send('GET', '/channel-limits?currency=USD'), channelLimitResource);
    assert.deepEqual([data[0]?.minimumAmount, data[0]?.maximumAmount], [7, 8]);
  });
});

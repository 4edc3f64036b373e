import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { cardPayment, pay, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

describe('ledger of the simulator over HTTP', () => {
  const simulator = useSimulator();
  beforeEach(async () => {
    for (const key of ['a', 'b', 'c']) {
      await pay(simulator.url, cardPayment(key, '4242424242424242', { paymentIntentId: `pi_${key}` }), key);
    }
  });

  const keys = async (query: Record<string, string>) =>
    (await readLedger(simulator.url, query)).data.map(({ idempotencyKey }) => idempotencyKey);

  it('lists entries newest first, in pages', async () => {
    assert.deepEqual(await keys({}), ['c', 'b', 'a']);
    assert.deepEqual(await keys({ page: '2', limit: '2' }), ['a']);
    const { pagination } = await readLedger(simulator.url, { limit: '2' });
    assert.deepEqual(pagination, { page: 1, limit: 2, total: 3, totalPages: 2 });
  });

  it('filters by one or several fields', async () => {
    assert.deepEqual(await keys({ reference: 'b' }), ['b']);
    assert.deepEqual(await keys({ paymentIntentId: 'pi_c' }), ['c']);
    assert.deepEqual(await keys({ idempotencyKey: 'a' }), ['a']);
    assert.deepEqual(await keys({ idempotencyKey: 'a', paymentIntentId: 'pi_c' }), []);
  });

  it('rejects invalid queries', async () => {
    for (const query of ['page=0', 'limit=101', 'limit=x', 'other=1', 'page=1&page=2']) {
      assert.equal((await fetch(new URL(`/ledger?${query}`, simulator.url))).status, 400, query);
    }
  });
});

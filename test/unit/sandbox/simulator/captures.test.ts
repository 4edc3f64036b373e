import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertContains } from '../../../support/assert-contains.ts';
import { capture, cardPayment, pay, postToSimulator, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';

describe('captures at the simulator', () => {
  const simulator = useSimulator();

  const hold = (key: string, card = CARD) => pay(simulator.url, cardPayment(key, card, { capture: false }), key);
  const chargesOf = async (key: string) =>
    (await readLedger(simulator.url, { idempotencyKey: key })).data.flatMap(({ charges }) =>
      charges.map(({ type, amount }) => `${type} ${amount}`),
    );

  it('capture all or a part of the authorized amount, once', async () => {
    for (const amount of [1234, 1000]) {
      const key = `taken_${amount}`;
      await hold(key);
      const first = await capture(simulator.url, key, amount);
      assert.equal(first.status, 200);
      assertContains(first.body, { status: 'captured', amount: 1234, amountCaptured: amount });
      assert.deepEqual(await capture(simulator.url, key, amount), first);
      assert.deepEqual(await capture(simulator.url, key, 1), first);
      assert.deepEqual(await chargesOf(key), ['authorization 1234', `capture ${amount}`]);
    }
  });

  it('happen once for twelve concurrent requests', async () => {
    await hold('twelve');
    const answers = await Promise.all(Array.from({ length: 12 }, () => capture(simulator.url, 'twelve', 1234)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.deepEqual(await chargesOf('twelve'), ['authorization 1234', 'capture 1234']);
  });

  it('are rejected above the authorized amount', async () => {
    await hold('more');
    const { status, body } = await capture(simulator.url, 'more', 1235);
    assert.equal(status, 422);
    assertContains(body, { error: { code: 'amount_exceeded' } });
    assert.deepEqual(await chargesOf('more'), ['authorization 1234']);
  });

  it('return a voided payment as it is, and are final for a later closure', async () => {
    await hold('off');
    await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'off' });
    assertContains(await capture(simulator.url, 'off', 1234), { status: 200, body: { status: 'voided' } });
    await hold('stands');
    await capture(simulator.url, 'stands', 1234);
    const closed = await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'stands' });
    assertContains(closed.body, { payment: { status: 'captured' } });
  });

  it('are rejected for unknown and for declined payments', async () => {
    assert.equal((await capture(simulator.url, 'unknown', 1)).status, 404);
    await hold('declined', '4000000000000002');
    assert.equal((await capture(simulator.url, 'declined', 1)).status, 409);
  });
});

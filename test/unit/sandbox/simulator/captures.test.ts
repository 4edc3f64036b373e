import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { capture, cardPayment, pay, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';

describe('captures at the simulator', () => {
  const simulator = useSimulator();

  const hold = (key: string, card = CARD) => pay(simulator.url, cardPayment(key, card, { capture: false }), key);
  const chargesOf = async (key: string) =>
    (await readLedger(simulator.url, { idempotencyKey: key })).data.flatMap(({ charges }) =>
      charges.map(({ type, amount }) => `${type} ${amount}`),
    );

  it('happen once for twelve concurrent requests', async () => {
    await hold('twelve');
    const answers = await Promise.all(Array.from({ length: 12 }, () => capture(simulator.url, 'twelve', 1234)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.deepEqual(await chargesOf('twelve'), ['authorization 1234', 'capture 1234']);
  });

  it('are rejected for unknown and for declined payments', async () => {
    assert.equal((await capture(simulator.url, 'unknown', 1)).status, 404);
    await hold('declined', '4000000000000002');
    assert.equal((await capture(simulator.url, 'declined', 1)).status, 409);
  });
});

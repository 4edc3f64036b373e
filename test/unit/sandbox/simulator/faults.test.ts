import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createFaultInjector } from '../../../../sandbox/simulator/faults.ts';
import { faultsSchema, OPERATIONS } from '../../../../sandbox/simulator/protocol.ts';
import { cardPayment, countCaptures, pay, postToSimulator, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const CARD = '4242424242424242';

describe('fault injection of the simulator', () => {
  it('is off at the start', () => {
    const faults = createFaultInjector(() => 0);
    assert.equal(faults.drawLatencyMs('payments'), 0);
    assert.equal(faults.drawError('payments') || faults.drawLostReply('payments') || faults.drawLostWebhook(), false);
    assert.equal(faults.settings().ignoresClosures, false);
  });

  it('fails requests at the configured rate', () => {
    const faults = createFaultInjector(() => 0.3);
    faults.replace(faultsSchema.parse({ errorRate: 0.31, dropReplyRate: 0.3 }));
    assert.equal(faults.drawError('payments'), true);
    assert.equal(faults.drawLostReply('payments'), false);
  });

  it('draws latencies that are positive and bounded', () => {
    const open = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), fc.nat({ max: 10_000 }), open, (p50, above, draw) => {
        const faults = createFaultInjector(() => draw);
        faults.replace(faultsSchema.parse({ latencyMs: { p50, p99: p50 + above } }));
        const latencyMs = faults.drawLatencyMs('payments');
        assert.ok(latencyMs >= 0 && latencyMs <= 60_000, String(latencyMs));
      }),
    );
  });

  it('has the configured latency percentiles', () => {
    const faults = createFaultInjector(Math.random);
    faults.replace(faultsSchema.parse({ latencyMs: { p50: 100, p99: 1_000 } }));
    const draws = Array.from({ length: 20_000 }, () => faults.drawLatencyMs('payments')).sort((a, b) => a - b);
    const [p50 = 0, p99 = 0] = [draws[10_000], draws[19_800]];
    assert.ok(p50 > 85 && p50 < 115, `p50 ${p50}`);
    assert.ok(p99 > 700 && p99 < 1_400, `p99 ${p99}`);
  });

  it('affects only the configured operations', () => {
    const faults = createFaultInjector(() => 0);
    faults.replace(
      faultsSchema.parse({ errorRate: 1, dropReplyRate: 1, latencyMs: 7, operations: ['refunds', 'captures'] }),
    );
    const affected = OPERATIONS.filter((operation) => faults.drawError(operation));
    assert.deepEqual(affected, ['captures', 'refunds']);
    assert.deepEqual(
      OPERATIONS.filter((operation) => faults.drawLostReply(operation) || faults.drawLatencyMs(operation) > 0),
      affected,
    );
  });

  for (const wrong of [
    { operations: ['other'] },
    { errorRate: 1.1 },
    { latencyMs: { p50: 2, p99: 1 } },
    { latencyMs: -1 },
    { ignoresClosures: 1 },
    { other: 1 },
  ]) {
    it(`rejects ${JSON.stringify(wrong)}`, () => {
      assert.equal(faultsSchema.safeParse(wrong).success, false);
    });
  }
});

describe('fault injection over HTTP', () => {
  const simulator = useSimulator({ holdMs: 50 });
  const setFaults = async (body: object) => {
    const response = await fetch(new URL('/simulate/faults', simulator.url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200);
  };

  it('writes nothing to the ledger for an injected error', async () => {
    await setFaults({ errorRate: 1 });
    assert.equal((await pay(simulator.url, cardPayment('failing', CARD), 'failing')).status, 500);
    assert.equal((await readLedger(simulator.url)).pagination.total, 0);
  });

  it('charges although the reply is dropped, and charges once', async () => {
    await setFaults({ dropReplyRate: 1 });
    await assert.rejects(pay(simulator.url, cardPayment('dropped', CARD), 'dropped'));
    await setFaults({});
    assert.equal((await pay(simulator.url, cardPayment('dropped', CARD), 'dropped')).status, 201);
    assert.equal(await countCaptures(simulator.url, 'dropped'), 1);
  });

  it('lets an inquiry overtake a slow request, which then charges nothing', async () => {
    await setFaults({ latencyMs: 2_000, operations: ['payments'] });
    const slow = pay(simulator.url, cardPayment('slow', CARD), 'slow');
    const healthy = await fetch(new URL('/healthz', simulator.url));
    assert.equal(healthy.status, 200);
    const asked = await postToSimulator(simulator.url, '/v1/inquiries', { idempotencyKey: 'slow' });
    assert.deepEqual(asked.body, { result: 'not_found' });
    assert.equal((await slow).status, 409);
    assert.equal(await countCaptures(simulator.url, 'slow'), 0);
  });
});

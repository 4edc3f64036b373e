import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Client } from '@temporalio/client';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { attemptNowSignal } from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { until } from '../support/outcomes.ts';
import { currentDetailsOf } from '../support/time-skipping.ts';
import { withTimeSkippingServer } from '../support/time-skipping-server.ts';
import { type RunningDelivery, ScriptedEndpoint, startDelivery } from '../support/webhook-deliveries.ts';

const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const delivered = { kind: 'delivered', summary: 'status 204' } as const;
const refused = { kind: 'failed', summary: 'status 500', isFinal: false, isHeld: false } as const;

describe('webhook delivery workflow', function () {
  this.timeout(60_000);

  const deliver = (
    endpoint: ScriptedEndpoint,
    check: (delivery: RunningDelivery, client: Client) => Promise<void>,
  ): Promise<void> =>
    withTimeSkippingServer(async ({ env, play }) => {
      play(endpoint);
      await check(await startDelivery(env), env.client);
    });

  it('ends with the first attempt that succeeds', async () => {
    const endpoint = new ScriptedEndpoint([delivered]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'delivered');
      assert.equal(endpoint.attempts.length, 1);
      const { typedSearchAttributes } = await delivery.describe();
      assert.equal(typedSearchAttributes.get(SEARCH_ATTRIBUTES.status), 'delivered');
    });
  });

  it('makes every attempt of the schedule, each pause about as long as planned, and shows every attempt', async () => {
    const endpoint = new ScriptedEndpoint([refused]);
    await deliver(endpoint, async (delivery, client) => {
      assert.equal(await delivery.result(), 'failed');
      assert.equal(endpoint.attempts.length, PAUSES_MS.length + 1);
      for (const [index, pauseMs] of endpoint.pausesMs.entries()) {
        const about = PAUSES_MS[index] ?? 0;
        assert.ok(Math.abs(pauseMs - about) <= about * 0.1 + 5 * SECOND_MS, `pause ${index + 1}: ${pauseMs} ms`);
      }
      assert.ok(endpoint.pausesMs.some((pauseMs, index) => Math.abs(pauseMs - (PAUSES_MS[index] ?? 0)) > SECOND_MS));
      assert.equal(endpoint.attempts.at(-1)?.retryPauseMs, null);
      const currentDetails = await currentDetailsOf(client, delivery);
      assert.match(currentDetails, /^- Ended: failed\.$/m);
      assert.equal(currentDetails.match(/^- Attempt \d+, ended \S+: failed, status 500\.$/gm)?.length, 10);
    });
  });

  it('stops after the attempt by which the endpoint was disabled', async () => {
    const endpoint = new ScriptedEndpoint([
      refused,
      { kind: 'failed', summary: 'status 410', isFinal: true, isHeld: false },
    ]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'failed');
      assert.equal(endpoint.attempts.length, 2);
    });
  });

  it('stops when the endpoint is deleted', async () => {
    const endpoint = new ScriptedEndpoint([refused, { kind: 'canceled', reason: 'endpoint_deleted' }]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'canceled');
      assert.equal(endpoint.attempts.length, 2);
    });
  });

  it('ends as held when its endpoint counts as failing, and makes no timer for the next attempt', async () => {
    for (const held of [{ ...refused, isHeld: true }, { kind: 'held' }] as const) {
      const endpoint = new ScriptedEndpoint([held]);
      await deliver(endpoint, async (delivery, client) => {
        assert.equal(await delivery.result(), 'held');
        assert.equal(endpoint.attempts.length, 1);
        assert.match(await currentDetailsOf(client, delivery), /^- Held: the endpoint fails/m);
        const { typedSearchAttributes } = await delivery.describe();
        assert.equal(typedSearchAttributes.get(SEARCH_ATTRIBUTES.status), 'held');
      });
    }
  });

  it('continues with the attempts that an earlier run has left, the first of them at once', async () => {
    const endpoint = new ScriptedEndpoint([refused]);
    await withTimeSkippingServer(async ({ env, play }) => {
      play(endpoint);
      const delivery = await startDelivery(env, { attemptsMade: 8 });
      assert.equal(await delivery.result(), 'failed');
      assert.deepEqual(
        endpoint.attempts.map(({ number }) => number),
        [9, 10],
      );
      const currentDetails = await currentDetailsOf(env.client, delivery);
      assert.match(currentDetails, /^- Attempts before: 8, of a workflow that was ended\.$/m);
    });
  });

  it('makes its next attempt at once on request', async () => {
    const endpoint = new ScriptedEndpoint([refused, refused, refused, delivered]);
    await withTimeSkippingServer(async ({ env, play }) => {
      play(endpoint);
      const delivery = await startDelivery(env);
      await env.sleep(6 * MINUTE_MS);
      await until(() => endpoint.attempts.length === 3);
      await delivery.signal(attemptNowSignal);
      assert.equal(await delivery.result(), 'delivered');
      assert.ok((endpoint.pausesMs[2] ?? Infinity) < 5 * MINUTE_MS);
    });
  });
});

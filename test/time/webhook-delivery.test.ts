import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type {
  WebhookActivities,
  WebhookAttemptRequest,
  WebhookAttemptResult,
} from '../../activities/webhook-activities.ts';
import { webhookDeliveryIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  attemptNowSignal,
  PAYMENTS_TASK_QUEUE,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
} from '../../workflows/messages.ts';
import { SEARCH_ATTRIBUTES, webhookSearchAttributes } from '../../workflows/search-attributes.ts';
import { type PlayedActivities, withTimeSkippingServer } from '../support/time-skipping-server.ts';

const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const delivered = { kind: 'delivered', words: 'status 204' } as const;
const refused = { kind: 'failed', words: 'status 500', isFinal: false } as const;

/** An endpoint that answers by a script; the last answer is repeated. */
class ScriptedEndpoint implements PlayedActivities, WebhookActivities {
  readonly attempts: (WebhookAttemptRequest & { readonly atMs: number })[] = [];
  clock: () => Promise<number> = () => Promise.resolve(Date.now());

  constructor(private readonly script: readonly WebhookAttemptResult[]) {}

  readonly attemptWebhook = async (request: WebhookAttemptRequest): Promise<WebhookAttemptResult> => {
    this.attempts.push({ ...request, atMs: await this.clock() });
    const result = this.script[Math.min(this.attempts.length, this.script.length) - 1];
    assert.ok(result);
    return result;
  };

  get pausesMs(): number[] {
    return this.attempts.slice(1).map(({ atMs }, index) => atMs - (this.attempts[index]?.atMs ?? 0));
  }
}

const input = (): WebhookDeliveryInput => {
  const eventId = newId('event');
  const webhookEndpointId = newId('webhookEndpoint');
  return {
    deliveryId: webhookDeliveryIdOf(eventId, webhookEndpointId, 1),
    eventId,
    eventType: 'payment_intent.succeeded',
    webhookEndpointId,
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    paymentIntentId: newId('paymentIntent'),
  };
};

const metadataSchema = z.object({ currentDetails: z.string() });

describe('delivery of a webhook in the workflow', function () {
  this.timeout(60_000);

  const deliver = (
    endpoint: ScriptedEndpoint,
    check: (delivery: Awaited<ReturnType<typeof start>>) => Promise<void>,
  ): Promise<void> =>
    withTimeSkippingServer(async ({ env, play }) => {
      play(endpoint);
      await check(await start(env));
    });

  const start = async (env: Parameters<Parameters<typeof withTimeSkippingServer>[0]>[0]['env']) => {
    const delivery = input();
    return env.client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
      workflowId: delivery.deliveryId,
      taskQueue: PAYMENTS_TASK_QUEUE,
      args: [delivery],
      typedSearchAttributes: webhookSearchAttributes(delivery),
    });
  };

  it('ends with the first attempt that succeeds', async () => {
    const endpoint = new ScriptedEndpoint([delivered]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'delivered');
      assert.equal(endpoint.attempts.length, 1);
      const { typedSearchAttributes } = await delivery.describe();
      assert.equal(typedSearchAttributes.get(SEARCH_ATTRIBUTES.status), 'delivered');
    });
  });

  it('goes through the whole schedule, each pause about as long as it says, and tells of every attempt', async () => {
    const endpoint = new ScriptedEndpoint([refused]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'failed');
      assert.equal(endpoint.attempts.length, PAUSES_MS.length + 1);
      for (const [index, pauseMs] of endpoint.pausesMs.entries()) {
        const about = PAUSES_MS[index] ?? 0;
        assert.ok(Math.abs(pauseMs - about) <= about * 0.1 + 5 * SECOND_MS, `pause ${index + 1}: ${pauseMs} ms`);
      }
      assert.ok(endpoint.pausesMs.some((pauseMs, index) => Math.abs(pauseMs - (PAUSES_MS[index] ?? 0)) > SECOND_MS));
      assert.equal(endpoint.attempts.at(-1)?.retryPauseMs, null);
      const { currentDetails } = metadataSchema.parse(await delivery.query('__temporal_workflow_metadata'));
      assert.match(currentDetails, /^- Ended: failed\.$/m);
      assert.equal(currentDetails.match(/^- Attempt \d+, ended \S+: failed, status 500\.$/gm)?.length, 10);
    });
  });

  it('stops with the attempt by which the endpoint was disabled', async () => {
    const endpoint = new ScriptedEndpoint([refused, { kind: 'failed', words: 'status 410', isFinal: true }]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'failed');
      assert.equal(endpoint.attempts.length, 2);
    });
  });

  it('stops when there is nobody to deliver to any more', async () => {
    const endpoint = new ScriptedEndpoint([refused, { kind: 'canceled', reason: 'endpoint_deleted' }]);
    await deliver(endpoint, async (delivery) => {
      assert.equal(await delivery.result(), 'canceled');
      assert.equal(endpoint.attempts.length, 2);
    });
  });

  it('makes its next attempt at once when it is asked to', async () => {
    const endpoint = new ScriptedEndpoint([refused, refused, refused, delivered]);
    await withTimeSkippingServer(async ({ env, play }) => {
      play(endpoint);
      const delivery = await start(env);
      await env.sleep(6 * MINUTE_MS);
      assert.equal(endpoint.attempts.length, 3);
      await delivery.signal(attemptNowSignal);
      assert.equal(await delivery.result(), 'delivered');
      assert.ok((endpoint.pausesMs[2] ?? Infinity) < 5 * MINUTE_MS);
    });
  });
});

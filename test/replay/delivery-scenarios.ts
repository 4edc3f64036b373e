import type { WebhookAttemptResult } from '../../protocol/webhook-activities.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { attemptNowSignal, type WebhookDeliveryInput } from '../../protocol/messages.ts';
import type { TimeSkippingServer } from '../support/time-skipping-server.ts';
import type { RunningDelivery } from '../support/webhook-deliveries.ts';

/** A webhook delivery whose history is recorded for replay. */
export interface DeliveryScenario {
  /** The results of the attempts; the last one is repeated. */
  readonly script: readonly WebhookAttemptResult[];
  readonly input?: Partial<WebhookDeliveryInput>;
  readonly steps?: (delivery: RunningDelivery, env: TimeSkippingServer['env']) => Promise<unknown>;
}

const delivered = { kind: 'delivered', summary: 'status 204' } as const;
const refused = { kind: 'failed', summary: 'status 500', isFinal: false, isHeld: false } as const;
const gone = { kind: 'failed', summary: 'status 410', isFinal: true, isHeld: false } as const;

/** One of each outcome; the names are the files' names. */
export const DELIVERY_SCENARIOS: Readonly<Record<string, DeliveryScenario>> = {
  'webhook-delivered': { script: [delivered] },
  'webhook-retried-then-delivered': { script: [refused, refused, delivered] },
  'webhook-endpoint-gone': { script: [refused, gone] },
  'webhook-endpoint-deleted': { script: [refused, { kind: 'canceled', reason: 'endpoint_deleted' }] },
  'webhook-held': { script: [refused, { ...refused, isHeld: true }] },
  'webhook-held-before-its-attempt': { script: [refused, { kind: 'held' }] },
  'webhook-given-up': { script: [refused] },
  'webhook-taken-over': { script: [refused, delivered], input: { attemptsMade: 2 } },
  'webhook-asked-for-at-once': {
    script: [refused, refused, refused, delivered],
    steps: async (delivery, env) => {
      await env.sleep(6 * MINUTE_MS);
      await delivery.signal(attemptNowSignal);
    },
  },
};

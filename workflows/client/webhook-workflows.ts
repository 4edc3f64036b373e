import type { Client } from '@temporalio/client';
import {
  attemptNowSignal,
  WEBHOOK_DELIVERY_WORKFLOW,
  type WebhookDeliveryInput,
  WEBHOOKS_TASK_QUEUE,
} from '../messages.ts';
import { webhookSearchAttributes } from '../search-attributes.ts';
import type { SignalResult } from './temporal-errors.ts';
import { deliverSignal } from './deliver-signal.ts';
import { startAgain } from './start-once.ts';

/** Starts the workflows of deliveries and sends them signals. Every call has a deadline. */
export interface WebhookWorkflows {
  /** Starts a delivery's workflow unless one runs, even if an earlier run has ended. @throws TemporalUnavailableError */
  start(input: WebhookDeliveryInput): Promise<void>;
  /** Ends the pause before a delivery's next attempt. @throws TemporalUnavailableError */
  attemptNow(deliveryId: string): Promise<SignalResult>;
}

export function createWebhookWorkflows(client: Client): WebhookWorkflows {
  return {
    start: async (input) => {
      await startAgain(client, WEBHOOK_DELIVERY_WORKFLOW, {
        workflowId: input.deliveryId,
        taskQueue: WEBHOOKS_TASK_QUEUE,
        input,
        searchAttributes: webhookSearchAttributes(input),
        summary: `Webhook ${input.eventType} to ${input.webhookEndpointId}`,
      });
    },
    attemptNow: (deliveryId) => deliverSignal(client, deliveryId, attemptNowSignal),
  };
}

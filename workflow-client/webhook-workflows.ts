import type { Client } from '@temporalio/client';
import {
  attemptNowSignal,
  recoveryWorkflowId,
  WEBHOOK_DELIVERY_WORKFLOW,
  WEBHOOK_RECOVERY_WORKFLOW,
  type WebhookDeliveryInput,
  type WebhookRecoveryInput,
  WEBHOOKS_TASK_QUEUE,
} from '../protocol/messages.ts';
import { recoverySearchAttributes, webhookSearchAttributes } from '../protocol/search-attributes.ts';
import type { SignalResult } from './temporal-errors.ts';
import { deliverSignal } from './deliver-signal.ts';
import { startAgain } from './start-once.ts';

/** Starts the workflows of deliveries and sends them signals. Every call has a deadline. */
export interface WebhookWorkflows {
  /** Starts a delivery's workflow unless one runs, even if an earlier run has ended. @throws TemporalUnavailableError */
  start(input: WebhookDeliveryInput): Promise<void>;
  /** Starts an endpoint's recovery unless it is under way. @throws TemporalUnavailableError */
  recover(input: WebhookRecoveryInput): Promise<void>;
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
        merchantAccountId: input.merchantAccountId,
        searchAttributes: webhookSearchAttributes(input),
        summary: `Webhook ${input.eventType} to ${input.webhookEndpointId}`,
      });
    },
    recover: async (input) => {
      await startAgain(client, WEBHOOK_RECOVERY_WORKFLOW, {
        workflowId: recoveryWorkflowId(input.webhookEndpointId),
        taskQueue: WEBHOOKS_TASK_QUEUE,
        input,
        merchantAccountId: input.merchantAccountId,
        searchAttributes: recoverySearchAttributes(input),
        summary: `Recovery of the webhook endpoint ${input.webhookEndpointId}`,
      });
    },
    attemptNow: (deliveryId) => deliverSignal(client, deliveryId, attemptNowSignal),
  };
}

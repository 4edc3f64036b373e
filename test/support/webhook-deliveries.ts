import assert from 'node:assert/strict';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type {
  WebhookActivities,
  WebhookAttemptRequest,
  WebhookAttemptResult,
} from '../../protocol/webhook-activities.ts';
import { newId } from '../../domain/new-id.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOK_DELIVERY_WORKFLOW, type WebhookDeliveryInput } from '../../protocol/messages.ts';
import { webhookSearchAttributes } from '../../protocol/search-attributes.ts';
import { EXECUTION_TIMEOUT_MS, type PlayedActivities, type TimeSkippingServer } from './time-skipping-server.ts';
import { deliveryIdOf } from './webhook-rows.ts';

/** A scripted endpoint; the last answer is repeated. */
export class ScriptedEndpoint implements PlayedActivities, Pick<WebhookActivities, 'attemptWebhook'> {
  readonly attempts: (WebhookAttemptRequest & { readonly atMs: number })[] = [];
  clock: () => number = Date.now;
  readonly activities = { attemptWebhook: (request: WebhookAttemptRequest) => this.attemptWebhook(request) };

  constructor(private readonly script: readonly WebhookAttemptResult[]) {}

  attemptWebhook(request: WebhookAttemptRequest): Promise<WebhookAttemptResult> {
    this.attempts.push({ ...request, atMs: this.clock() });
    const result = this.script[Math.min(this.attempts.length, this.script.length) - 1];
    assert.ok(result);
    return Promise.resolve(result);
  }

  get pausesMs(): number[] {
    return this.attempts.slice(1).map(({ atMs }, index) => atMs - (this.attempts[index]?.atMs ?? 0));
  }
}

/** The workflow of a delivery under test. */
export type RunningDelivery = WorkflowHandleWithFirstExecutionRunId;

/** Starts a delivery's workflow; `overrides` win. */
export async function startDelivery(
  { client }: TimeSkippingServer['env'],
  overrides: Partial<WebhookDeliveryInput> = {},
): Promise<RunningDelivery> {
  const eventId = newId('event');
  const webhookEndpointId = newId('webhookEndpoint');
  const input: WebhookDeliveryInput = {
    deliveryId: deliveryIdOf(eventId, webhookEndpointId),
    eventId,
    eventType: 'payment_intent.succeeded',
    webhookEndpointId,
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    paymentIntentId: newId('paymentIntent'),
    ...overrides,
  };
  return client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, {
    workflowId: input.deliveryId,
    taskQueue: PAYMENTS_TASK_QUEUE,
    args: [input],
    workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
    typedSearchAttributes: webhookSearchAttributes(input),
  });
}

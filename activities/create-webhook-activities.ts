import { attemptWebhook, type WebhookDependencies } from './attempt-webhook.ts';
import type { WebhookActivities } from './webhook-activities.ts';

/** The activities of the webhook queue, bound to their dependencies. */
export function createWebhookActivities(dependencies: WebhookDependencies): WebhookActivities {
  return { attemptWebhook: (request) => attemptWebhook(dependencies, request) };
}

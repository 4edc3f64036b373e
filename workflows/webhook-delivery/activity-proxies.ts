import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../../protocol/webhook-activities.ts';
import { WEBHOOK_OPTIONS } from '../shared/activity-options.ts';

export const webhooks = proxyActivities<WebhookActivities>(WEBHOOK_OPTIONS);

import { detailsText, workflowLink } from '../shared/details.ts';
import { recoveryWorkflowId, type WebhookDeliveryInput } from '../../protocol/messages.ts';

/** The delivery for support staff, in markdown: event, endpoint, state and attempts. */
export function describeDelivery(input: WebhookDeliveryInput, state: string, attempts: readonly string[]): string {
  const { eventType, eventId, webhookEndpointId, paymentIntentId } = input;
  return detailsText([
    `**${eventType}** to the endpoint \`${webhookEndpointId}\`.`,
    '',
    `- ${state}.`,
    `- Event: \`${eventId}\`${paymentIntentId === null ? '' : `, payment ${workflowLink(paymentIntentId)}`}.`,
    ...attempts.map((attempt) => `- ${attempt}`),
    `- If the endpoint fails: ${workflowLink(recoveryWorkflowId(webhookEndpointId))}.`,
  ]);
}

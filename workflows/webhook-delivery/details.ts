import type { WebhookDeliveryInput } from '../messages.ts';

/** The delivery for support staff, in markdown: event, endpoint, state and attempts. */
export function describeDelivery(input: WebhookDeliveryInput, state: string, attempts: readonly string[]): string {
  const { eventType, eventId, webhookEndpointId, paymentIntentId } = input;
  return [
    `**${eventType}** to the endpoint \`${webhookEndpointId}\`.`,
    '',
    `- ${state}.`,
    `- Event: \`${eventId}\`${paymentIntentId === null ? '' : `, payment \`${paymentIntentId}\``}.`,
    ...attempts.map((attempt) => `- ${attempt}`),
  ].join('\n');
}

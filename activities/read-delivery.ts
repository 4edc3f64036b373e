import { WEBHOOK_CANCELLATION_REASONS, type WebhookCancellationReason, describeReply } from '../domain/webhook.ts';
import { presentEvent } from '../contract/presenters/event.ts';
import type { Database } from '../prisma/connection/client.ts';
import { selectEvent } from '../prisma/queries/stored-event.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookPreviousSecret } from '../prisma/generated/client.ts';
import type { Keyring } from '../vault/keyring.ts';
import { openWebhookSecret } from '../vault/webhook-secret.ts';
import type { Environment } from '../domain/payment.ts';
import type { WebhookAttemptRequest, WebhookAttemptResult } from '../protocol/webhook-activities.ts';

/** An attempt of a delivery's workflow, or a probe of its endpoint. */
export interface AttemptToMake extends WebhookAttemptRequest {
  readonly isProbe?: boolean;
}

/** The request of an attempt: target, body and signing secrets. */
export interface DeliveryContent {
  readonly webhookEndpointId: string;
  readonly eventId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly body: string;
  /** `whsec_…`; several while earlier ones are valid. */
  readonly secrets: readonly string[];
}

/** The request to send, the reason why none is sent, or the recorded result of the attempt. */
export type DeliveryState =
  | { readonly kind: 'ready'; readonly content: DeliveryContent }
  | { readonly kind: 'canceled'; readonly reason: WebhookCancellationReason }
  | { readonly kind: 'held' }
  | { readonly kind: 'done'; readonly result: WebhookAttemptResult };

/** An earlier attempt counted as failed, because its worker was paused before it could record the endpoint's answer. */
const DELIVERED_LATE = 'an earlier attempt was delivered';

/**
 * Reads a delivery, its endpoint and its event. While the endpoint counts as failing, only probes are sent, and what somebody asked
 * for.
 */
export async function readDelivery(
  database: Database,
  keyring: Keyring,
  { deliveryId, number, isProbe = false }: AttemptToMake,
): Promise<DeliveryState> {
  const delivery = await database.webhookDelivery.findUnique({
    where: { id: deliveryId },
    include: { attempts: { where: { number }, take: 1 } },
  });
  if (delivery === null) return { kind: 'canceled', reason: 'event_not_kept' };
  const [made] = delivery.attempts;
  if (made !== undefined) return { kind: 'done', result: resultOf(delivery, describeReply({ ...made, error: null })) };
  if (delivery.status === 'delivered') return { kind: 'done', result: resultOf(delivery, DELIVERED_LATE) };
  if (delivery.status === 'canceled') return { kind: 'canceled', reason: reasonOf(delivery) };
  const endpoint = await database.webhookEndpoint.findUnique({
    where: { id: delivery.webhookEndpointId },
    include: { previousSecrets: { where: { expiresAt: { gt: new Date() } }, orderBy: { expiresAt: 'desc' } } },
  });
  if (endpoint === null) return { kind: 'canceled', reason: 'endpoint_deleted' };
  if (endpoint.status !== 'enabled') return { kind: 'canceled', reason: 'endpoint_disabled' };
  if (endpoint.nextProbeAt !== null && !isProbe && !delivery.isRequested) return { kind: 'held' };
  const event = await database.direct.row(selectEvent(delivery.eventId));
  if (event === undefined) return { kind: 'canceled', reason: 'event_not_kept' };
  return {
    kind: 'ready',
    content: {
      webhookEndpointId: endpoint.id,
      eventId: event.id,
      environment: event.environment,
      url: endpoint.url,
      body: JSON.stringify(presentEvent(event)),
      secrets: secretsOf(keyring, endpoint, event.environment),
    },
  };
}

function resultOf({ status, isHeld }: WebhookDelivery, summary: string): WebhookAttemptResult {
  return status === 'delivered'
    ? { kind: 'delivered', summary }
    : { kind: 'failed', summary, isFinal: status !== 'pending', isHeld };
}

function reasonOf({ reason }: WebhookDelivery): WebhookCancellationReason {
  return WEBHOOK_CANCELLATION_REASONS.find((known) => known === reason) ?? 'event_not_kept';
}

type EndpointWithSecrets = WebhookEndpoint & { readonly previousSecrets: readonly WebhookPreviousSecret[] };

/** The current secret, then the earlier ones that are valid. */
function secretsOf(keyring: Keyring, endpoint: EndpointWithSecrets, environment: Environment): readonly string[] {
  const { id: webhookEndpointId, merchantAccountId } = endpoint;
  const owner = { webhookEndpointId, merchantAccountId, environment };
  return [endpoint, ...endpoint.previousSecrets].map(({ secretKeyId: keyId, secretCiphertext: ciphertext }) =>
    openWebhookSecret(keyring, owner, { keyId, ciphertext }),
  );
}

import { z } from 'zod';
import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_ERRORS } from '../../domain/webhook.ts';
import { pageQuery, responseTime, text } from './common.ts';

/** GET /events/{id}/deliveries */
export const listDeliveriesQuery = z.strictObject(pageQuery);

/** POST /events/{id}/redeliver */
export const redeliverBody = z.strictObject({
  /** If omitted: every enabled endpoint that subscribes to events of this type. */
  webhookEndpointId: text(64).min(1).optional(),
});

/** One request to an endpoint and its result. */
const webhookAttemptResource = z
  .object({
    number: z.int(),
    startedAt: responseTime,
    durationMs: z.int(),
    /** Null if there was no response. */
    statusCode: z.int().nullable(),
    /** Null when the event was delivered. */
    error: z.enum(WEBHOOK_ERRORS).nullable(),
    /** The first 4 KB of the response body. */
    responseBody: z.string().nullable(),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request to an endpoint and its result.' });

/** The delivery of one event to one endpoint. */
export const webhookDeliveryResource = z.object({
  id: z.string(),
  object: z.literal('webhook_delivery'),
  eventId: z.string(),
  webhookEndpointId: z.string(),
  status: z.enum(WEBHOOK_DELIVERY_STATUSES),
  /** Why it ended without success, or what it waits for. */
  reason: z
    .enum(['attempts_used_up', 'endpoint_disabled', 'endpoint_deleted', 'event_not_kept', 'earlier_event_pending'])
    .nullable(),
  attempts: z.array(webhookAttemptResource),
  /** The time of the next attempt; null if none is planned. */
  nextAttemptAt: responseTime.nullable(),
  createdAt: responseTime,
  finishedAt: responseTime.nullable(),
});

export type WebhookDeliveryResource = z.infer<typeof webhookDeliveryResource>;

/** The response to a redelivery: the deliveries that are under way now. */
export const webhookRedeliveryResource = z.object({
  object: z.literal('webhook_redelivery'),
  eventId: z.string(),
  deliveries: z.array(webhookDeliveryResource),
});

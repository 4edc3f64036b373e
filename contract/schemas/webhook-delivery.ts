import { z } from 'zod';
import {
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERRORS,
  type WebhookDeliveryStatus,
  type WebhookError,
} from '../../domain/webhook.ts';
import { pageQuery, responseTime, text, timeText } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the delivery, which begins with `whd_`.',
  eventId: 'The id of the event (`evt_…`) that is delivered.',
  webhookEndpointId: 'The id of the webhook endpoint (`whe_…`) that it is delivered to.',
  status: withValues<WebhookDeliveryStatus>('The state of the delivery.', {
    pending: 'it is under way, or waits for its next attempt',
    delivered: 'the endpoint answered with a 2xx status',
    failed: 'every attempt failed',
    canceled: 'it was given up; `reason` says why',
  }),
  reason: withValues('Why it ended without success, or what it waits for; null otherwise.', {
    attempts_used_up: 'every attempt failed',
    endpoint_disabled: 'the endpoint was disabled',
    endpoint_deleted: 'the endpoint was deleted',
    event_not_kept: 'the event was purged before it could be delivered',
    earlier_event_pending: 'an earlier event of the same payment has to be delivered first',
  }),
  attempts: 'Every request that was sent to the endpoint, oldest first.',
  nextAttemptAt: 'The time of the next attempt; null if none is planned.',
  finishedAt: 'When the delivery ended; null while it is pending.',
  deliveries: 'The deliveries that are under way now, one for each endpoint.',
};
const ATTEMPT_MEMBERS = {
  number: 'The number of the attempt within its delivery, from 1.',
  startedAt: 'When the request was sent; ISO 8601 in UTC.',
  durationMs: 'How long the request took, in milliseconds.',
  statusCode: 'The HTTP status of the response; null if there was none.',
  error: withValues<WebhookError>('Why the attempt failed; null if the event was delivered.', {
    timeout: 'no response within 15 seconds',
    connection_refused: 'nothing accepts connections at the address',
    connection_lost: 'the connection was closed before there was a response',
    host_not_found: 'the name of the host has no address',
    address_not_allowed: 'the address is not on the public internet',
    certificate_not_valid: 'the TLS certificate is not valid for the host',
    status_not_2xx: 'the response had another status than 2xx; redirects are not followed',
  }),
  responseBody:
    'The first 4 KB of the response body, without card numbers, e-mail addresses and secrets of this engine; null if there was no response.',
};

/** GET /events/{id}/deliveries */
export const listDeliveriesQuery = z.strictObject(pageQuery);

/** GET /webhook-endpoints/{id}/deliveries */
export const listEndpointDeliveriesQuery = z.strictObject({
  ...pageQuery,
  status: z
    .enum(WEBHOOK_DELIVERY_STATUSES)
    .default('pending')
    .describe('Selects the deliveries with this status; `pending` where it is left out.'),
});

export type ListEndpointDeliveries = z.output<typeof listEndpointDeliveriesQuery>;

const MISSED_MEMBERS = {
  webhookEndpointId: 'The id of the endpoint (`whe_…`) to deliver to, which must be enabled.',
  since: 'Redelivers events that happened at this time or later. ISO 8601 with a zone, such as `2026-11-28T06:00:00Z`.',
  object: COMMON_MEMBERS.object,
  redelivered: 'How many events are delivered again.',
  isComplete:
    'Whether no further event was missed since then. If not, and some were redelivered, repeat the request with another idempotency ' +
    'key for the next ones.',
};

/** POST /events/redeliver-missed */
export const redeliverMissedBody = z
  .strictObject(described(MISSED_MEMBERS, { webhookEndpointId: text(64).min(1), since: timeText }))
  .describe('Which events to deliver again, and where.');

/** The response to a redelivery of all events that an endpoint has missed. */
export const missedRedeliveryResource = z
  .object(
    described(MISSED_MEMBERS, {
      object: z.literal('webhook_missed_redelivery'),
      webhookEndpointId: z.string(),
      redelivered: z.int(),
      isComplete: z.boolean(),
    }),
  )
  .describe('How many of the events that an endpoint has missed are delivered again.');

/** POST /events/{id}/redeliver */
export const redeliverBody = z
  .strictObject({
    webhookEndpointId: text(64)
      .min(1)
      .optional()
      .describe(
        'The id of the endpoint (`whe_…`) to deliver to. Left out: every enabled endpoint that subscribes to events of this type.',
      ),
  })
  .describe('Where to deliver the event.');

/** One request to an endpoint and its result. */
const webhookAttemptResource = z
  .object(
    described(ATTEMPT_MEMBERS, {
      number: z.int(),
      startedAt: responseTime,
      durationMs: z.int(),
      statusCode: z.int().nullable(),
      error: z.enum(WEBHOOK_ERRORS).nullable(),
      responseBody: z.string().nullable(),
    }),
  )
  .meta({ id: 'WebhookAttempt', description: 'One request to an endpoint and its result.' });

/** The delivery of one event to one endpoint. */
export const webhookDeliveryResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('webhook_delivery'),
      eventId: z.string(),
      webhookEndpointId: z.string(),
      status: z.enum(WEBHOOK_DELIVERY_STATUSES),
      reason: z
        .enum(['attempts_used_up', 'endpoint_disabled', 'endpoint_deleted', 'event_not_kept', 'earlier_event_pending'])
        .nullable(),
      attempts: z.array(webhookAttemptResource),
      nextAttemptAt: responseTime.nullable(),
      createdAt: responseTime,
      finishedAt: responseTime.nullable(),
    }),
  )
  .describe('The delivery of one event to one endpoint, with every attempt.');

export type WebhookDeliveryResource = z.infer<typeof webhookDeliveryResource>;

/** The response to a redelivery: the deliveries that are under way now. */
export const webhookRedeliveryResource = z
  .object(
    described(MEMBERS, {
      object: z.literal('webhook_redelivery'),
      eventId: z.string(),
      deliveries: z.array(webhookDeliveryResource),
    }),
  )
  .describe('The deliveries of an event that are under way now.');

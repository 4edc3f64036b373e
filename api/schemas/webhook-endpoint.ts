import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/events.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { WEBHOOK_DISABLED_REASONS, WEBHOOK_ENDPOINT_STATUSES } from '../../domain/webhook.ts';
import {
  deletedResource,
  pageQuery,
  refinement,
  responseTime,
  secretNotice,
  secretShownOnce,
  text,
  webAddress,
} from './common.ts';

/** How long the previous secret stays valid after a rotation. */
const OVERLAP_SECONDS = { maximum: (7 * DAY_MS) / SECOND_MS, default: DAY_MS / SECOND_MS } as const;

const EVERY_EVENT = '*';
const enabledEvent = z.enum([EVERY_EVENT, ...EVENT_TYPES]);

/** Types that an endpoint can select; test events are sent regardless. */
const SELECTABLE_EVENTS = enabledEvent.exclude(['webhook_endpoint.test']);

const description = text(1_000).nullable();
const enabledEvents = z
  .array(SELECTABLE_EVENTS)
  .min(1)
  .max(EVENT_TYPES.length)
  .refine(
    (types) => new Set(types).size === types.length,
    refinement({
      fieldCode: 'invalid',
      message: 'Expected each event type once; got one twice. Leave the second out.',
    }),
  )
  .meta({ override: { uniqueItems: true } });

/** POST /webhook-endpoints */
export const createWebhookEndpointBody = z.strictObject({
  url: webAddress,
  description: description.default(null),
  enabledEvents: enabledEvents.default([EVERY_EVENT]),
});

export type CreateWebhookEndpoint = z.output<typeof createWebhookEndpointBody>;

/** PATCH /webhook-endpoints/{id}: omitted fields stay unchanged. */
export const updateWebhookEndpointBody = z.strictObject({
  url: webAddress.optional(),
  description: description.optional(),
  enabledEvents: enabledEvents.optional(),
  active: z.boolean().optional(),
});

export type UpdateWebhookEndpoint = z.output<typeof updateWebhookEndpointBody>;

/** POST /webhook-endpoints/{id}/rotate-secret */
export const rotateWebhookSecretBody = z.strictObject({
  overlapSeconds: z.number().int().min(0).max(OVERLAP_SECONDS.maximum).default(OVERLAP_SECONDS.default),
});

/** GET /webhook-endpoints */
export const listWebhookEndpointsQuery = z.strictObject(pageQuery);

/** The webhook endpoint in every response, without its secret. */
export const webhookEndpointResource = z.object({
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  url: z.string(),
  description: z.string().nullable(),
  enabledEvents: z.array(enabledEvent),
  status: z.enum(WEBHOOK_ENDPOINT_STATUSES),
  /** Null while it is enabled. */
  disabledReason: z.enum(WEBHOOK_DISABLED_REASONS).nullable(),
  disabledAt: responseTime.nullable(),
  lastSuccessAt: responseTime.nullable(),
  lastFailureAt: responseTime.nullable(),
  /** A short description of the last failure. */
  lastFailure: z.string().nullable(),
  /** Set while the previous secret is still valid. */
  previousSecretExpiresAt: responseTime.nullable(),
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type WebhookEndpointResource = z.infer<typeof webhookEndpointResource>;

/** The response to a creation or rotation, the only one with the secret. */
export const webhookEndpointWithSecret = webhookEndpointResource
  .extend({ secret: secretShownOnce, notice: secretNotice })
  .meta({ id: 'WebhookEndpointWithSecret' });

/** A test event that is being delivered; `GET /events/{eventId}/deliveries` has the result. */
export const webhookTestResource = z.object({
  object: z.literal('webhook_test'),
  eventId: z.string(),
  webhookEndpointId: z.string(),
  createdAt: responseTime,
});

/** DELETE /webhook-endpoints/{id} */
export const deletedWebhookEndpoint = deletedResource('webhook_endpoint');

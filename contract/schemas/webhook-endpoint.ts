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
import { createdBy } from './created-by.ts';
import { COMMON_MEMBERS, CREATED_BY, described, withValues } from './descriptions.ts';
import { EVENT_TYPE_MEANINGS } from './event-types.ts';

/** How long the previous secret stays valid after a rotation. */
const OVERLAP_SECONDS = { maximum: (7 * DAY_MS) / SECOND_MS, default: DAY_MS / SECOND_MS } as const;

const EVERY_EVENT = '*';
const enabledEvent = z.enum([EVERY_EVENT, ...EVENT_TYPES]);

const { 'webhook_endpoint.test': _test, ...SELECTABLE_EVENT_MEANINGS } = EVENT_TYPE_MEANINGS;

/** Types that an endpoint can select; test events are sent regardless. */
const SELECTABLE_EVENTS = enabledEvent.exclude(['webhook_endpoint.test']).meta({
  id: 'SelectableEventType',
  description: withValues('A type of events that an endpoint can select.', {
    '*': 'every type',
    ...SELECTABLE_EVENT_MEANINGS,
  }),
});

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

const MEMBERS = {
  ...COMMON_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the webhook endpoint, which begins with `whe_`.',
  url: 'The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.',
  description: 'A text of your own about the endpoint, up to 1,000 characters; null without one.',
  enabledEvents: withValues('The types of the events that are sent to the endpoint, each once; `*` for every type.', {
    '*': 'every type',
    ...SELECTABLE_EVENT_MEANINGS,
  }),
  active: 'Whether events are sent to the endpoint. Setting it to `true` enables an endpoint that was disabled.',
  status: withValues<(typeof WEBHOOK_ENDPOINT_STATUSES)[number]>('Whether events are sent to the endpoint.', {
    enabled: 'they are',
    disabled: 'they are not; `disabledReason` says why',
  }),
  disabledReason: withValues<(typeof WEBHOOK_DISABLED_REASONS)[number]>(
    'Why it is disabled; null while it is enabled.',
    {
      by_merchant: 'a request disabled it',
      gone: 'it answered with status 410',
      failing: 'every attempt failed for five days',
    },
  ),
  disabledAt: 'When it was disabled; null while it is enabled.',
  failingSince:
    'Since when every attempt has failed, if so many have that the endpoint counts as failing; null otherwise. Its events then wait, and one of them is sent now and then as a probe.',
  nextProbeAt: 'When the next probe of a failing endpoint is made, at the earliest; null unless it counts as failing.',
  pendingDeliveries:
    'How many deliveries to the endpoint have not ended, at most 10,000; null in events and in the audit log.',
  oldestPendingAt: 'Since when the oldest of these has waited; null if there is none.',
  recentDeliveries:
    'The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 ' +
    'of a status. Null in events and in the audit log.',
  lastSuccessAt: 'When an event was last delivered; null if none was.',
  lastFailureAt: 'When an attempt last failed; null if none did.',
  lastFailure: 'A short description of the last failure, such as `status 500` or `timeout`; null if there was none.',
  previousSecretExpiresAt:
    'Until when webhooks are signed with an earlier secret too, after rotations: each signs until its own overlap ends, this is the ' +
    'last end. Null if none signs.',
  overlapSeconds: `For how many seconds webhooks are signed with both secrets; 0 to ${OVERLAP_SECONDS.maximum} (7 days).`,
  secret:
    'The secret that signs webhooks, `whsec_…`, as Standard Webhooks has it. No other response has it. See `notice` where it is null.',
  eventId: 'The id of the test event (`evt_…`); `GET /events/{id}/deliveries` has the result.',
  webhookEndpointId: 'The id of the endpoint (`whe_…`) that it is sent to.',
};

const RECENT_MEMBERS = {
  total: 'How many deliveries began.',
  delivered: 'How many of them were delivered.',
};

/** POST /webhook-endpoints */
export const createWebhookEndpointBody = z
  .strictObject(
    described(MEMBERS, {
      url: webAddress,
      description: description.default(null),
      enabledEvents: enabledEvents.default([EVERY_EVENT]),
    }),
  )
  .describe('A webhook endpoint to create.');

export type CreateWebhookEndpoint = z.output<typeof createWebhookEndpointBody>;

/** PATCH /webhook-endpoints/{id}: omitted fields stay unchanged. */
export const updateWebhookEndpointBody = z
  .strictObject(
    described(MEMBERS, {
      url: webAddress.optional(),
      description: description.optional(),
      enabledEvents: enabledEvents.optional(),
      active: z.boolean().optional(),
    }),
  )
  .describe('What to change. Members that are left out stay unchanged.');

export type UpdateWebhookEndpoint = z.output<typeof updateWebhookEndpointBody>;

/** POST /webhook-endpoints/{id}/rotate-secret */
export const rotateWebhookSecretBody = z
  .strictObject(
    described(MEMBERS, {
      overlapSeconds: z.int().min(0).max(OVERLAP_SECONDS.maximum).default(OVERLAP_SECONDS.default),
    }),
  )
  .describe('How the secret is replaced.');

/** GET /webhook-endpoints */
export const listWebhookEndpointsQuery = z.strictObject(pageQuery);

/** The webhook endpoint in every response, without its secret. */
export const webhookEndpointResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('webhook_endpoint'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      url: z.string(),
      description: z.string().nullable(),
      enabledEvents: z.array(enabledEvent),
      status: z.enum(WEBHOOK_ENDPOINT_STATUSES),
      disabledReason: z.enum(WEBHOOK_DISABLED_REASONS).nullable(),
      disabledAt: responseTime.nullable(),
      failingSince: responseTime.nullable(),
      nextProbeAt: responseTime.nullable(),
      pendingDeliveries: z.int().nullable(),
      oldestPendingAt: responseTime.nullable(),
      recentDeliveries: z.object(described(RECENT_MEMBERS, { total: z.int(), delivered: z.int() })).nullable(),
      lastSuccessAt: responseTime.nullable(),
      lastFailureAt: responseTime.nullable(),
      lastFailure: z.string().nullable(),
      previousSecretExpiresAt: responseTime.nullable(),
      createdBy,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An address that events are posted to, without its secret.');

export type WebhookEndpointResource = z.infer<typeof webhookEndpointResource>;

/** The response to a creation or rotation, the only one with the secret. */
export const webhookEndpointWithSecret = webhookEndpointResource
  .extend({ ...described(MEMBERS, { secret: secretShownOnce }), notice: secretNotice })
  .meta({
    id: 'WebhookEndpointWithSecret',
    description: 'A webhook endpoint with its secret, which no other response has.',
  });

/** A test event that is being delivered; `GET /events/{eventId}/deliveries` has the result. */
export const webhookTestResource = z
  .object(
    described(MEMBERS, {
      object: z.literal('webhook_test'),
      eventId: z.string(),
      webhookEndpointId: z.string(),
      createdAt: responseTime,
    }),
  )
  .describe('A test event that is being delivered.');

/** DELETE /webhook-endpoints/{id} */
export const deletedWebhookEndpoint = deletedResource('webhook_endpoint');

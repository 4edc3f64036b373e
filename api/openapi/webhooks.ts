import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { eventComponentOf, kindOfEvent } from '../../contract/schemas/event.ts';
import { EVENT_TYPE_MEANINGS } from '../../contract/schemas/event-types.ts';
import { pascalCase } from './component-names.ts';
import { RECORDED_EXAMPLES } from './recorded-examples.ts';

/** The headers of every webhook, by the name of their component. */
export const WEBHOOK_PARAMETER_COMPONENTS = {
  WebhookId: header(
    'webhook-id',
    'The id of the event. An event may come twice: the id tells that it is the same.',
    'evt_0197f3c29a4b7d1e8c5f60718293a4b5',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this request was sent, in Unix seconds. Refuse requests that are more than 5 minutes old.',
    '1795348800',
  ),
  WebhookSignature: header(
    'webhook-signature',
    "Signatures separated by spaces, as Standard Webhooks has them: `v1,` and the Base64 of HMAC-SHA256, keyed with the endpoint's " +
      'secret, over `webhook-id`, `webhook-timestamp` and the body, joined by dots. There are two while a secret is replaced.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
} satisfies Record<string, oas31.ParameterObject>;

function header(name: string, description: string, example: string): oas31.ParameterObject {
  return {
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', examples: [example] },
  };
}

/** What the engine posts to webhook endpoints, by the type of the event. */
export function webhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeWebhook(type) }]));
}

function describeWebhook(type: EventType) {
  const meaning = EVENT_TYPE_MEANINGS[type];
  const value = RECORDED_EXAMPLES.webhooks[type];
  // `npm run record-examples` builds this document before it records the event of a new type.
  const examples = value === undefined ? {} : { [type.replaceAll('.', '_')]: { summary: meaning, value } };
  return {
    operationId: `on${pascalCase(type.replaceAll('.', '_'))}`,
    summary: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`,
    description:
      'Posted to the endpoints of the account that subscribe to this type. Events of one payment come in order, unless one ' +
      'of them has failed three times. Without a 2xx response within 15 seconds it is sent again: up to ten attempts in ' +
      'about three days.',
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETER_COMPONENTS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${eventComponentOf(kindOfEvent(type))}` },
          examples,
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was received. The body of the response is ignored.' },
      410: { description: 'The endpoint is gone: it is disabled, and gets no further events.' },
    },
  };
}

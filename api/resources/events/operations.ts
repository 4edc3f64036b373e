import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { actionOperation, type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { anyEvent, listEventsQuery } from '../../../contract/schemas/event.ts';
import {
  listDeliveriesQuery,
  missedRedeliveryResource,
  redeliverBody,
  redeliverMissedBody,
  webhookDeliveryResource,
  webhookRedeliveryResource,
} from '../../../contract/schemas/webhook-delivery.ts';
import { presentEvent } from '../../../contract/presenters/event.ts';
import { listDeliveries, presentDelivery, readDeliveries } from './read-deliveries.ts';
import { listEvents, readEvent } from './read-events.ts';
import {
  MOST_EXAMINED,
  MOST_REDELIVERED,
  redeliver,
  redeliverMissed,
  type RedeliveryDependencies,
} from './redeliver.ts';

const resource = 'events';

/** Everything below /events. */
export function eventOperations(
  dependencies: RedeliveryDependencies & IdempotencyDependencies,
): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    listOperation({
      path: '/events',
      operationId: 'listEvents',
      summary: 'List events, newest first',
      description:
        'With `after`, the id of an event, only later events are listed, and **oldest first**. To read on without a gap, ' +
        'pass the id of the last event of the page. An event in `after` or `before` that is unknown or was purged is ' +
        '`RESOURCE_NOT_FOUND`.',
      resource,
      query: listEventsQuery,
      responseData: anyEvent,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listEvents(database, principal, query), presentEvent),
    }),
    readOperation({
      path: '/events/{id}',
      operationId: 'getEvent',
      summary: 'Retrieve an event; old events are purged',
      resource,
      responseData: anyEvent,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, presentEvent(await readEvent(database, principal, id))),
    }),
    listOperation({
      path: '/events/{id}/deliveries',
      operationId: 'listEventDeliveries',
      summary: "List an event's deliveries to webhook endpoints with every attempt, newest delivery first",
      description:
        'An event is delivered once to each endpoint that subscribed to it when it happened, and once more with each ' +
        'redelivery. Deliveries are kept as long as events.',
      resource,
      query: listDeliveriesQuery,
      responseData: webhookDeliveryResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id, query }) => {
        await readEvent(database, principal, id);
        return pageResponse(query, await listDeliveries(database, principal, id, query), presentDelivery);
      },
    }),
    actionOperation(
      {
        path: '/events/redeliver-missed',
        operationId: 'redeliverMissedEvents',
        summary: 'Redeliver to a webhook endpoint the events since a time that it has missed',
        description:
          'These are the events that the endpoint subscribes to, and that were not delivered to it and are not pending: for example ' +
          'because every attempt failed, or because the endpoint was disabled or did not exist yet. The oldest are sent first, at most ' +
          `${MOST_REDELIVERED} by one request, of the account's newest ${MOST_EXAMINED} events. While the endpoint fails, they ` +
          'wait with its other deliveries.',
        resource,
        scopeAction: 'redeliver',
        body: redeliverMissedBody,
        responseData: missedRedeliveryResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId: () => newId('webhookDelivery'),
        handle: async ({ principal, body }) => {
          const { webhookEndpointId } = body;
          const redelivery = await redeliverMissed(database, principal, body);
          return jsonResponse(200, { object: 'webhook_missed_redelivery', webhookEndpointId, ...redelivery });
        },
      },
      dependencies,
    ),
    actionOperation(
      {
        path: '/events/{id}/redeliver',
        operationId: 'redeliverEvent',
        summary: 'Redeliver an event to webhook endpoints',
        description:
          'To the named endpoint, or to all enabled endpoints that subscribe to events of this type. A pending delivery ' +
          'makes its next attempt at once; without one, a new delivery begins.',
        resource,
        scopeAction: 'redeliver',
        body: redeliverBody,
        responseData: webhookRedeliveryResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId: () => newId('webhookDelivery'),
        handle: async ({ principal, id, body }) => {
          await readEvent(database, principal, id);
          const ids = await redeliver(dependencies, principal, id, body.webhookEndpointId);
          const deliveries = await readDeliveries(database, principal, ids);
          return jsonResponse(200, { object: 'webhook_redelivery', eventId: id, deliveries });
        },
      },
      dependencies,
    ),
  ];
}

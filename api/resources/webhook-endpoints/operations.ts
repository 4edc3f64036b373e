import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { WebhookEndpoint } from '../../../prisma/generated/client.ts';
import { jsonResponse, type JsonResponse, pageResponse, responseWithSecrets } from '../../../http/response.ts';
import {
  actionOperation,
  updateOperation,
  createOperation,
  type ApiOperation,
  listOperation,
  readOperation,
} from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import { listEndpointDeliveriesQuery, webhookDeliveryResource } from '../../../contract/schemas/webhook-delivery.ts';
import { listEndpointDeliveries } from '../events/read-deliveries.ts';
import {
  updateWebhookEndpointBody,
  createWebhookEndpointBody,
  deletedWebhookEndpoint,
  listWebhookEndpointsQuery,
  rotateWebhookSecretBody,
  type WebhookEndpointResource,
  webhookEndpointResource,
  webhookEndpointWithSecret,
  webhookTestResource,
} from '../../../contract/schemas/webhook-endpoint.ts';
import { rotateSecret } from '../../../accounts/webhook-endpoints/rotate.ts';
import { listEndpoints, presentEndpoints, readEndpoint } from '../../../accounts/webhook-endpoints/stored-endpoint.ts';
import {
  updateEndpoint,
  type EndpointWithSecret,
  insertEndpoint,
  MAXIMUM_ENDPOINTS,
  deleteEndpoint,
  type WebhookEndpointDependencies,
  writeTestEvent,
} from '../../../accounts/webhook-endpoints/write.ts';
import { requireEventScopes } from '../../../accounts/webhook-endpoints/event-scopes.ts';

const resource = 'webhook-endpoints';
const newEndpointId = () => newId('webhookEndpoint');

type Dependencies = WebhookEndpointDependencies & IdempotencyDependencies;

/** Everything below /webhook-endpoints. */
export function webhookEndpointOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listWebhookEndpointsOperation(dependencies),
    createWebhookEndpointOperation(dependencies),
    getWebhookEndpointOperation(dependencies),
    updateWebhookEndpointOperation(dependencies),
    rotateWebhookEndpointSecretOperation(dependencies),
    testWebhookEndpointOperation(dependencies),
    listWebhookEndpointDeliveriesOperation(dependencies),
    deleteWebhookEndpointOperation(dependencies),
  ];
}

function listWebhookEndpointsOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    summary: "List the merchant account's webhook endpoints, newest first",
    resource,
    query: listWebhookEndpointsQuery,
    responseData: webhookEndpointResource,
    errors: [],
    handle: async ({ principal, query }) => {
      const { rows, ...page } = await listEndpoints(database, principal, query);
      return pageResponse(query, { ...page, rows: await presentEndpoints(database, rows) }, (endpoint) => endpoint);
    },
  });
}

function createWebhookEndpointOperation(dependencies: Dependencies): ApiOperation {
  return createOperation(
    {
      path: '/webhook-endpoints',
      operationId: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint; its secret is returned only once',
      description:
        'Events are posted as `GET /events/{id}` returns them, signed according to the Standard Webhooks specification. In ' +
        'production the address must use HTTPS and be on the public internet. Without `enabledEvents` every event is ' +
        'sent. The request needs a key with `events:read`, or with the `:read` scope of each resource whose events the endpoint ' +
        `receives. A merchant account has at most ${MAXIMUM_ENDPOINTS} endpoints. Only a repeat with the same idempotency ` +
        'key, made with the same API key, returns `secret` again; made with another key it returns `null`.',
      resource,
      body: createWebhookEndpointBody,
      responseData: webhookEndpointWithSecret,
      errors: ['STATE_CONFLICT'],
      newResourceId: newEndpointId,
      authorize: ({ principal, body }) => requireEventScopes(principal, body.enabledEvents),
      handle: async ({ principal, body }, { resourceId: id }) =>
        secretResponse(dependencies, 201, await insertEndpoint(dependencies, principal, { id, fields: body })),
    },
    dependencies,
  );
}

function getWebhookEndpointOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/webhook-endpoints/{id}',
    operationId: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint, without its secret',
    resource,
    responseData: webhookEndpointResource,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) =>
      jsonResponse(200, await present(database, await readEndpoint(database, principal, id))),
  });
}

function listWebhookEndpointDeliveriesOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/webhook-endpoints/{id}/deliveries',
    operationId: 'listWebhookEndpointDeliveries',
    summary: 'List the deliveries to a webhook endpoint with a status, with every attempt, newest first',
    description: 'Deliveries are kept as long as events.',
    resource,
    query: listEndpointDeliveriesQuery,
    responseData: webhookDeliveryResource,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id, query }) => {
      await readEndpoint(database, principal, id);
      return pageResponse(query, await listEndpointDeliveries(database, principal, id, query), (delivery) => delivery);
    },
  });
}

function updateWebhookEndpointOperation(dependencies: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/webhook-endpoints/{id}',
    operationId: 'updateWebhookEndpoint',
    summary: 'Change the address, event types or description of a webhook endpoint, or enable or disable it',
    description:
      'Omitted fields stay unchanged. Events that happen while an endpoint is disabled are not delivered ' +
      'afterwards, unless `POST /events/{id}/redeliver` requests it. A request that changes the address or the types, or enables the ' +
      'endpoint, needs the scopes that creating it needs.',
    resource,
    body: updateWebhookEndpointBody,
    responseData: webhookEndpointResource,
    errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newEndpointId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(
        200,
        await present(dependencies.database, await updateEndpoint(dependencies, principal, { id, fields: body })),
      ),
  });
}

function rotateWebhookEndpointSecretOperation(dependencies: Dependencies): ApiOperation {
  return actionOperation(
    {
      path: '/webhook-endpoints/{id}/rotate-secret',
      operationId: 'rotateWebhookEndpointSecret',
      summary: 'Rotate the secret of a webhook endpoint; the previous secret stays valid for an overlap',
      description:
        'For `overlapSeconds`, each webhook has a signature by the secret that is replaced too. Secrets of earlier rotations sign ' +
        'until their own overlap ends; there are at most 10 of them.',
      resource,
      body: rotateWebhookSecretBody,
      responseData: webhookEndpointWithSecret,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newEndpointId,
      handle: async ({ principal, id, body }, { resourceId: rotationId }) =>
        secretResponse(dependencies, 200, await rotateSecret(dependencies, principal, { id, rotationId, ...body })),
    },
    dependencies,
  );
}

function testWebhookEndpointOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return actionOperation(
    {
      path: '/webhook-endpoints/{id}/test',
      operationId: 'testWebhookEndpoint',
      summary: 'Send a `webhook_endpoint.test` event to a webhook endpoint',
      description: 'The event is delivered to this endpoint only, whatever event types it subscribes to.',
      resource,
      body: NO_FIELDS,
      responseData: webhookTestResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: () => newId('event'),
      handle: async ({ principal, id }, { resourceId: eventId }) => {
        const createdAt = await writeTestEvent(database, principal, id, eventId);
        return jsonResponse(200, { object: 'webhook_test', eventId, webhookEndpointId: id, createdAt });
      },
    },
    dependencies,
  );
}

function deleteWebhookEndpointOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('delete', {
    path: '/webhook-endpoints/{id}',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint; its pending deliveries are canceled',
    resource,
    body: NO_FIELDS,
    responseData: deletedWebhookEndpoint,
    errors: ['RESOURCE_NOT_FOUND'],
    newResourceId: newEndpointId,
    handle: async ({ principal, id }) => {
      await deleteEndpoint(database, principal, id);
      return jsonResponse(200, { id, object: 'webhook_endpoint', deleted: true });
    },
  });
}

async function secretResponse(
  { database }: Dependencies,
  status: 200 | 201,
  { endpoint, secret }: EndpointWithSecret,
): Promise<JsonResponse> {
  return responseWithSecrets(status, await present(database, endpoint), { secret });
}

async function present(
  database: Pick<Database, 'direct'>,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpointResource> {
  const [resource] = await presentEndpoints(database, [endpoint]);
  if (resource === undefined) throw new Error('an endpoint is presented as one resource');
  return resource;
}

import { findProviders, type PaymentRouteDependencies } from '../../../accounts/payment-routes/write.ts';
import {
  activateRouteSet,
  insertRouteSet,
  listRouteSets,
  MAXIMUM_ROUTE_SETS,
  readRouteSet,
} from '../../../accounts/route-sets/stored-set.ts';
import {
  activateRouteSetBody,
  backTestRouteSetBody,
  createRouteSetBody,
  createRouteSetBodyAmong,
  listRouteSetsQuery,
  routeBackTestResource,
  routeSetResource,
  routeSetSummary,
} from '../../../contract/schemas/route-set.ts';
import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { backTest } from './back-test.ts';
import { actionOperation, type ApiOperation, createOperation, listOperation, readOperation } from '../api-operation.ts';

const resource = 'route-sets';
const responseData = routeSetResource;
const newResourceId = () => newId('routeSet');

type Dependencies = PaymentRouteDependencies & IdempotencyDependencies;

/** Everything below /route-sets. */
export function routeSetOperations(dependencies: Dependencies): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    listOperation({
      path: '/route-sets',
      operationId: 'listRouteSets',
      summary: 'List sets of routes, newest first, without their routes',
      resource,
      query: listRouteSetsQuery,
      responseData: routeSetSummary,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listRouteSets(database, principal, query), (set) => set),
    }),
    createRouteSetOperation(dependencies),
    readOperation({
      path: '/route-sets/{id}',
      operationId: 'getRouteSet',
      summary: 'Retrieve a set of routes, and what its activation would change',
      resource,
      responseData,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, await readRouteSet(database, principal, id)),
    }),
    activateRouteSetOperation(dependencies),
    backTestRouteSetOperation(dependencies),
  ];
}

function createRouteSetOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return createOperation(
    {
      path: '/route-sets',
      operationId: 'createRouteSet',
      summary: 'Prepare changes of several routes, which apply together once the set is activated',
      description:
        'The set has all your routes as they are now, with the changes that you name; without changes it keeps them as they are. ' +
        'No payment takes it until it is activated. Shares of routes can be given in percent (`sharePercent`). The newest ' +
        `${MAXIMUM_ROUTE_SETS} sets are kept.`,
      resource,
      body: createRouteSetBody,
      bodyFor: async (principal) => createRouteSetBodyAmong((await findProviders(dependencies, principal)).ofAccount),
      responseData,
      errors: ['INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD'],
      newResourceId,
      handle: async ({ principal, body: fields }, { resourceId: id }) => {
        const { ofMerchant: providers } = await findProviders(dependencies, principal);
        return jsonResponse(201, await insertRouteSet(database, principal, { id, fields, providers }));
      },
    },
    dependencies,
  );
}

function activateRouteSetOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return actionOperation(
    {
      path: '/route-sets/{id}/activate',
      operationId: 'activateRouteSet',
      summary: 'Let payments take the routes of the set, all at once',
      description:
        'Every confirm is planned by the routes before or by those of the set, never by some of each. The routes before are kept as ' +
        'a set: activate `replacedSetId` to return to them. Routes keep their ids, also if they come back.',
      resource,
      body: activateRouteSetBody,
      responseData,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, body: { currentRoutesVersion } }) => {
        const { ofMerchant: providers } = await findProviders(dependencies, principal);
        const activation = { id, currentRoutesVersion, providers };
        return jsonResponse(200, await activateRouteSet(database, principal, activation));
      },
    },
    dependencies,
  );
}

function backTestRouteSetOperation(dependencies: Dependencies): ApiOperation {
  return actionOperation(
    {
      path: '/route-sets/{id}/back-test',
      operationId: 'backTestRouteSet',
      summary: 'Plan the payments of the last days again, under the set',
      description:
        'Says where the payments of this merchant account would have gone first, and how many approvals to expect by the rates ' +
        'that their providers had. It calls nobody and changes nothing. It takes every provider as reachable, and plans first attempts alone: ' +
        'no retries, no failover. Payments whose payment method was deleted meanwhile are left out.',
      resource,
      scopeAction: 'read',
      body: backTestRouteSetBody,
      responseData: routeBackTestResource,
      errors: ['RESOURCE_NOT_FOUND'],
      newResourceId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, await backTest(dependencies, principal, { id, ...body })),
    },
    dependencies,
  );
}

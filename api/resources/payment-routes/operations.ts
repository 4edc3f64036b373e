import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  actionOperation,
  updateOperation,
  createOperation,
  type ApiOperation,
  listOperation,
  readOperation,
} from '../api-operation.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { PaymentRoute } from '../../../prisma/generated/client.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  updatePaymentRouteBody,
  updatePaymentRouteBodyAmong,
  createPaymentRouteBody,
  createPaymentRouteBodyAmong,
  deletedPaymentRoute,
  listPaymentRoutesQuery,
  type PaymentRouteResource,
  paymentRouteResource,
  paymentRouteSimulationResource,
  simulatePaymentRoutesBody,
} from '../../../contract/schemas/payment-route.ts';
import { simulateRoutes } from './simulate.ts';
import { listRoutes, readRoute, sharedWeights } from '../../../accounts/payment-routes/stored-route.ts';
import { presentRoute } from '../../../contract/presenters/payment-route.ts';
import {
  deleteRoute,
  findProviders,
  insertRoute,
  MAXIMUM_ROUTES,
  type PaymentRouteDependencies,
  updateRoute,
} from '../../../accounts/payment-routes/write.ts';

const resource = 'payment-routes';
const responseData = paymentRouteResource;
const newRouteId = () => newId('paymentRoute');

type Dependencies = PaymentRouteDependencies & IdempotencyDependencies;

/** Everything below /payment-routes. Routers take the first path that fits, so `simulate` comes before ids. */
export function paymentRouteOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listPaymentRoutesOperation(dependencies),
    createPaymentRouteOperation(dependencies),
    simulatePaymentRoutesOperation(dependencies),
    getPaymentRouteOperation(dependencies),
    updatePaymentRouteOperation(dependencies),
    deletePaymentRouteOperation(dependencies),
  ];
}

function listPaymentRoutesOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/payment-routes',
    operationId: 'listPaymentRoutes',
    summary: 'List payment routes, newest first',
    description: '`currency` and `country` select the routes that accept them, by name or because they accept any.',
    resource,
    query: listPaymentRoutesQuery,
    responseData,
    errors: ['INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD'],
    handle: async ({ principal, query }) => {
      const [page, weights] = await Promise.all([
        listRoutes(database, principal, query),
        sharedWeights(database, principal),
      ]);
      return pageResponse(query, page, (row) => presentRoute(row, weights));
    },
  });
}

function createPaymentRouteOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return createOperation(
    {
      path: '/payment-routes',
      operationId: 'createPaymentRoute',
      summary: 'Create a payment route',
      description:
        'The route belongs to the merchant and the environment of the key, and applies from the next confirm on. ' +
        'Empty lists mean "any"; an excluded country is never accepted. Routes with a lower `priority` are tried ' +
        'first; among equals the order is drawn for each payment, by `weight`. The provider is one that the engine has ' +
        "for everybody, or an account of this merchant account (`/provider-accounts`), which other accounts' payments " +
        'skip. A merchant has at most ' +
        `${MAXIMUM_ROUTES} routes in each environment.`,
      resource,
      body: createPaymentRouteBody,
      bodyFor: async (principal) =>
        createPaymentRouteBodyAmong((await findProviders(dependencies, principal)).ofAccount),
      responseData,
      errors: ['INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'STATE_CONFLICT'],
      newResourceId: newRouteId,
      handle: async ({ principal, body }, { resourceId: id }) =>
        jsonResponse(
          201,
          await present(database, principal, await insertRoute(database, principal, { id, fields: body })),
        ),
    },
    dependencies,
  );
}

function simulatePaymentRoutesOperation(dependencies: Dependencies): ApiOperation {
  return actionOperation(
    {
      path: '/payment-routes/simulate',
      operationId: 'simulatePaymentRoutes',
      summary: 'Simulate which routes a payment would use, and why others are skipped',
      description:
        'Uses the same routes, channel limits and provider health as a payment that is confirmed now, and changes ' +
        'nothing. Among routes of equal `priority` the order is drawn anew each time. Without a `country` the ' +
        "customer's country is used; without either, the countries of routes are ignored. `refusal` is the error of a " +
        'confirm.',
      resource,
      scopeAction: 'read',
      body: simulatePaymentRoutesBody,
      responseData: paymentRouteSimulationResource,
      errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'CUSTOMER_NOT_FOUND'],
      newResourceId: newRouteId,
      handle: async ({ principal, body }) => jsonResponse(200, await simulateRoutes(dependencies, principal, body)),
    },
    dependencies,
  );
}

function getPaymentRouteOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/payment-routes/{id}',
    operationId: 'getPaymentRoute',
    summary: 'Retrieve a payment route',
    resource,
    responseData,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) =>
      jsonResponse(200, await present(database, principal, await readRoute(database, principal, id))),
  });
}

function updatePaymentRouteOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return updateOperation('patch', {
    path: '/payment-routes/{id}',
    operationId: 'updatePaymentRoute',
    summary: 'Change a payment route',
    description:
      'The change applies from the next confirm on. Omitted fields stay unchanged; lists are replaced as a ' + 'whole.',
    resource,
    body: updatePaymentRouteBody,
    bodyFor: async (principal) => updatePaymentRouteBodyAmong((await findProviders(dependencies, principal)).ofAccount),
    responseData,
    errors: ['RESOURCE_NOT_FOUND', 'INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'STATE_CONFLICT'],
    newResourceId: newRouteId,
    handle: async ({ principal, id, body }) => {
      const { ofMerchant: providers } = await findProviders(dependencies, principal);
      const row = await updateRoute(database, principal, { id, fields: body, providers });
      return jsonResponse(200, await present(database, principal, row));
    },
  });
}

function deletePaymentRouteOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('delete', {
    path: '/payment-routes/{id}',
    operationId: 'deletePaymentRoute',
    summary: 'Delete a payment route',
    description: 'Payments that used the route keep its id, and payments under way continue.',
    resource,
    body: NO_FIELDS,
    responseData: deletedPaymentRoute,
    errors: ['RESOURCE_NOT_FOUND'],
    newResourceId: newRouteId,
    handle: async ({ principal, id }) => {
      await deleteRoute(database, principal, id);
      return jsonResponse(200, { id, object: 'payment_route', deleted: true });
    },
  });
}

/** The route with its share among the others as they are now. */
async function present(
  database: Dependencies['database'],
  principal: Principal,
  row: PaymentRoute,
): Promise<PaymentRouteResource> {
  return presentRoute(row, await sharedWeights(database, principal));
}

import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { type ApiOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  listSavedMethodsQuery,
  savedMethodResource,
  updateSavedMethodBody,
} from '../../../contract/schemas/saved-payment-method.ts';
import { presentSavedMethod } from '../../../contract/presenters/saved-payment-method.ts';
import { changeSavedMethod, listSavedMethods, readSavedMethod, removeSavedMethod } from './stored-method.ts';

const resource = 'payment-methods';
const newSavedMethodId = () => newId('savedPaymentMethod');

type Dependencies = { readonly database: Database } & IdempotencyDependencies;

/** Everything below /payment-methods. */
export function savedMethodOperations({ database }: Dependencies): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/payment-methods',
      operationId: 'listSavedPaymentMethods',
      summary: 'List saved payment methods, newest first',
      resource,
      query: listSavedMethodsQuery,
      responseData: savedMethodResource,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listSavedMethods(database, principal, query), presentSavedMethod),
    }),
    readOperation({
      path: '/payment-methods/{id}',
      operationId: 'getSavedPaymentMethod',
      summary: 'Retrieve a saved payment method',
      resource,
      responseData: savedMethodResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) =>
        jsonResponse(200, presentSavedMethod(await readSavedMethod(database, principal, id))),
    }),
    updateOperation('patch', {
      path: '/payment-methods/{id}',
      operationId: 'updateSavedPaymentMethod',
      summary: 'Update a saved payment method',
      description: 'Omitted fields stay unchanged. A new default replaces the former one of the customer.',
      resource,
      body: updateSavedMethodBody,
      responseData: savedMethodResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newSavedMethodId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, presentSavedMethod(await changeSavedMethod(database, principal, { id, fields: body }))),
    }),
    updateOperation('delete', {
      path: '/payment-methods/{id}',
      operationId: 'removeSavedPaymentMethod',
      summary: 'Remove a saved payment method',
      description:
        'Its card number is erased at once, and nothing can be charged with it any more. The engine then has each provider ' +
        'remove its token, for as long as that takes.',
      resource,
      body: NO_FIELDS,
      responseData: savedMethodResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newSavedMethodId,
      handle: async ({ principal, id }) =>
        jsonResponse(200, presentSavedMethod(await removeSavedMethod(database, principal, id))),
    }),
  ];
}

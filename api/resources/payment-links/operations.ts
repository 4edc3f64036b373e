import { newId } from '../../../domain/new-id.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  createPaymentLinkBody,
  listPaymentLinksQuery,
  paymentLinkResource,
  updatePaymentLinkBody,
} from '../../../contract/schemas/payment-link.ts';
import { type ApiOperation, createOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import { listPaymentLinks, presentPaymentLink, readPaymentLink } from './stored-link.ts';
import { insertPaymentLink, type PaymentLinkDependencies, updatePaymentLink } from './write.ts';

const resource = 'payment-links';
const newResourceId = () => newId('paymentLink');

/** Everything below /payment-links. */
export function paymentLinkOperations(
  dependencies: PaymentLinkDependencies & IdempotencyDependencies,
): readonly ApiOperation[] {
  const { database } = dependencies;
  const present = (row: Parameters<typeof presentPaymentLink>[1]) => presentPaymentLink(dependencies, row);
  return [
    listOperation({
      path: '/payment-links',
      operationId: 'listPaymentLinks',
      summary: 'List payment links, newest first',
      resource,
      query: listPaymentLinksQuery,
      responseData: paymentLinkResource,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listPaymentLinks(database, principal, query), present),
    }),
    createOperation(
      {
        path: '/payment-links',
        operationId: 'createPaymentLink',
        summary: 'Create a payment link: an address at which customers pay an amount',
        description:
          'Send `url` to the customer, or print it as a QR code. The page opens a payment intent when the customer pays; ' +
          '`GET /payment-intents?paymentLinkId=…` lists these, and events tell of them like of all others.',
        resource,
        body: createPaymentLinkBody,
        responseData: paymentLinkResource,
        errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'CUSTOMER_NOT_FOUND', 'MISSING_REQUIRED_FIELD'],
        newResourceId,
        handle: async ({ principal, body }, { resourceId: id }) =>
          jsonResponse(201, present(await insertPaymentLink(dependencies, principal, { id, fields: body }))),
      },
      dependencies,
    ),
    readOperation({
      path: '/payment-links/{id}',
      operationId: 'getPaymentLink',
      summary: 'Retrieve a payment link',
      resource,
      responseData: paymentLinkResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, present(await readPaymentLink(database, principal, id))),
    }),
    updateOperation('patch', {
      path: '/payment-links/{id}',
      operationId: 'updatePaymentLink',
      summary: 'Deactivate or activate a payment link, or change its description',
      description:
        'Amount and currency stay as customers have seen them: create another link, and deactivate this one. A payment that ' +
        'has begun before a link is deactivated can be completed within 30 minutes.',
      resource,
      body: updatePaymentLinkBody,
      responseData: paymentLinkResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, present(await updatePaymentLink(dependencies, principal, { id, fields: body }))),
    }),
  ];
}

import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { actionOperation, createOperation, type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { createRefundBody, listRefundsQuery, refundResource } from '../../../contract/schemas/refund.ts';
import { manualResolutionResource, resolveRefundBody } from '../../../contract/schemas/manual-resolution.ts';
import { type ManualResolutionDependencies, NEEDS_SUPPORT, resolveRefund } from '../manual-resolution.ts';
import { createRefund } from './create.ts';
import type { RefundDependencies } from './create.ts';
import { presentRefund } from '../../../contract/presenters/refund.ts';
import { listRefunds, readRefund } from './read-refunds.ts';
import { REFUND_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { accountRefunds, type RefundRow, STORED_REFUND } from '../../../prisma/queries/refund.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';
import type { Principal } from '../../../domain/principal.ts';
import { workflowUrlFor } from '../workflow-url.ts';

const resource = 'refunds';

/** Everything below /refunds. */
export function refundOperations(
  dependencies: RefundDependencies & IdempotencyDependencies & ExportDependencies & ManualResolutionDependencies,
): readonly ApiOperation[] {
  const { database, csvExports, admission } = dependencies;
  const presentFor = (principal: Principal, refund: RefundRow) => ({
    ...presentRefund(refund),
    ...workflowUrlFor(principal, dependencies, refund.id),
  });
  return [
    listOperation({
      path: '/refunds',
      operationId: 'listRefunds',
      summary: 'List refunds, newest first',
      resource,
      query: listRefundsQuery,
      responseData: refundResource,
      errors: [],
      csv: createCsvExport({
        database,
        exports: csvExports,
        name: resource,
        columns: REFUND_COLUMNS,
        listed: accountRefunds,
        selected: STORED_REFUND,
        present: ({ refund }) => presentRefund(refund),
      }),
      handle: async ({ principal, query }) =>
        pageResponse(query, await listRefunds(database, principal, query), ({ refund }) =>
          presentFor(principal, refund),
        ),
    }),
    createOperation(
      {
        path: '/refunds',
        operationId: 'createRefund',
        summary: 'Refund captured money, in whole or in part',
        description:
          'The body names the capture by `transactionId` or its payment by `paymentIntentId`. Without `amount`, the whole ' +
          'remaining amount is refunded. The request waits for the outcome; if the provider takes longer, the refund is ' +
          '`pending`. A failed refund is returned as an error, with the refund in `details.refund`.',
        resource,
        body: createRefundBody,
        waits: true,
        mayRequireKey: true,
        responseData: refundResource,
        errors: [
          'MISSING_REQUIRED_FIELD',
          'INVALID_AMOUNT',
          'TRANSACTION_NOT_FOUND',
          'PAYMENT_INTENT_NOT_FOUND',
          'REFUND_NOT_ALLOWED',
          'REFUND_WINDOW_CLOSED',
          'REFUND_AMOUNT_EXCEEDED',
          'REFUND_FAILED',
          'TSP_ERROR',
          'TSP_TIMEOUT',
          'TSP_UNAVAILABLE',
        ],
        newResourceId: () => newId('refund'),
        admit: ({ principal }) => admission.acquire(principal.merchantId),
        handle: (call, execution) => createRefund(dependencies, call, execution),
      },
      dependencies,
    ),
    readOperation({
      path: '/refunds/{id}',
      operationId: 'getRefund',
      summary: 'Retrieve a refund',
      resource,
      responseData: refundResource,
      errors: ['REFUND_NOT_FOUND'],
      handle: async ({ principal, id }) =>
        jsonResponse(200, presentFor(principal, await readRefund(database, principal, id))),
    }),
    actionOperation(
      {
        path: '/refunds/{id}/resolve-by-hand',
        operationId: 'resolveRefundByHand',
        summary: 'Record what became of a refund whose provider does not say it, or reports another amount',
        description: NEEDS_SUPPORT,
        resource,
        body: resolveRefundBody,
        responseData: manualResolutionResource,
        errors: ['REFUND_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId: () => newId('refund'),
        needsSupport: true,
        handle: (call, execution) => resolveRefund(dependencies, call, execution),
      },
      dependencies,
    ),
  ];
}

import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import { DISPUTE_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { presentStoredDispute as present } from '../../../contract/presenters/dispute.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  disputeFilePath,
  disputeResource,
  type ListDisputes,
  listDisputesQuery,
  updateDisputeBody,
  uploadDisputeFileBody,
} from '../../../contract/schemas/dispute.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { accountDisputes, STORED_DISPUTE, type StoredDispute } from '../../../prisma/queries/dispute.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { actionOperation, type ApiOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';
import { type WorkflowLinks, workflowUrlFor } from '../workflow-url.ts';
import {
  deleteFile,
  type DisputeDependencies,
  readDispute,
  requestDisputeOperation,
  updateDraft,
  uploadFile,
} from './answer.ts';

const resource = 'disputes';
const newResourceId = () => newId('dispute');

/** Everything below /disputes. */
export function disputeOperations(
  dependencies: DisputeDependencies & ExportDependencies & IdempotencyDependencies & WorkflowLinks,
): readonly ApiOperation[] {
  const { database, csvExports } = dependencies;
  const presentFor = (principal: Principal, stored: StoredDispute) => ({
    ...present(stored),
    ...workflowUrlFor(principal, dependencies, stored.dispute.id),
  });
  return [
    listOperation({
      path: '/disputes',
      operationId: 'listDisputes',
      summary: 'List disputes, newest first',
      resource,
      query: listDisputesQuery,
      responseData: disputeResource,
      errors: [],
      csv: createCsvExport({
        database,
        exports: csvExports,
        name: resource,
        columns: DISPUTE_COLUMNS,
        listed: (scope, { sort: _, ...filter }: ListDisputes) => accountDisputes(scope, filter),
        selected: STORED_DISPUTE,
        present,
      }),
      handle: async ({ principal, query }) =>
        pageResponse(query, await listDisputes(database, principal, query), (stored) => presentFor(principal, stored)),
    }),
    readOperation({
      path: '/disputes/{id}',
      operationId: 'getDispute',
      summary: 'Retrieve a dispute',
      resource,
      responseData: disputeResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) =>
        jsonResponse(200, presentFor(principal, await readDispute(database, principal, id))),
    }),
    updateOperation('patch', {
      path: '/disputes/{id}',
      operationId: 'updateDispute',
      summary: 'Change the draft of the answer to a dispute',
      description: 'Nothing is sent to the provider before the answer is submitted.',
      resource,
      body: updateDisputeBody,
      responseData: disputeResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, presentFor(principal, await updateDraft(dependencies, principal, id, body))),
    }),
    actionOperation(
      {
        path: '/disputes/{id}/files',
        operationId: 'uploadDisputeFile',
        summary: 'Add a file to the draft of the answer to a dispute',
        description:
          'A file takes the place of an earlier one of its kind. It is stored encrypted, and leaves only to the provider.',
        resource,
        body: uploadDisputeFileBody,
        responseData: disputeResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId,
        handle: async ({ principal, id, body }) =>
          jsonResponse(200, presentFor(principal, await uploadFile(dependencies, principal, id, body))),
      },
      dependencies,
    ),
    updateOperation('delete', {
      path: '/disputes/{id}/files/{kind}',
      operationId: 'deleteDisputeFile',
      summary: 'Delete a file of the draft of the answer to a dispute',
      resource,
      pathSchema: disputeFilePath,
      body: NO_FIELDS,
      responseData: disputeResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, pathParameters }) => {
        const stored = await deleteFile(dependencies, principal, id, pathParameters.kind ?? '');
        return jsonResponse(200, presentFor(principal, stored));
      },
    }),
    actionOperation(
      {
        path: '/disputes/{id}/submit',
        operationId: 'submitDispute',
        summary: 'Send the evidence to the provider, which is final',
        description:
          'The dispute is `submitting` until the provider has taken the evidence, and `under_review` afterwards. If the provider ' +
          'refuses it, the dispute is in `needs_response` again, and `lastError` says why.',
        resource,
        body: NO_FIELDS,
        mayRequireKey: true,
        responseData: disputeResource,
        errors: ['RESOURCE_NOT_FOUND', 'MISSING_REQUIRED_FIELD', 'STATE_CONFLICT'],
        newResourceId,
        handle: async ({ principal, id }, execution) => {
          const stored = await requestDisputeOperation(dependencies, principal, { id, kind: 'submit', execution });
          return jsonResponse(200, presentFor(principal, stored));
        },
      },
      dependencies,
    ),
    actionOperation(
      {
        path: '/disputes/{id}/accept',
        operationId: 'acceptDispute',
        summary: 'Give up the disputed money, which is final',
        description: 'The dispute is `accepting` until the provider has answered, and `lost` afterwards.',
        resource,
        body: NO_FIELDS,
        mayRequireKey: true,
        responseData: disputeResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId,
        handle: async ({ principal, id }, execution) => {
          const stored = await requestDisputeOperation(dependencies, principal, { id, kind: 'accept', execution });
          return jsonResponse(200, presentFor(principal, stored));
        },
      },
      dependencies,
    ),
  ];
}

/** One page of the account's disputes, newest first, and how many there are in all. */
function listDisputes(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListDisputes,
): Promise<ReadPage<StoredDispute>> {
  return readPage(database, accountDisputes(scope, filter), STORED_DISPUTE, { page, limit, startingAfter });
}

import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import { DISPUTE_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { presentDispute } from '../../../contract/presenters/dispute.ts';
import { disputeResource, type ListDisputes, listDisputesQuery } from '../../../contract/schemas/dispute.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { accountDisputes, type DisputeRow, selectDispute, STORED_DISPUTE } from '../../../prisma/queries/dispute.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';

const resource = 'disputes';

interface StoredDispute {
  readonly dispute: DisputeRow;
}

/** Everything below /disputes. */
export function disputeOperations({
  database,
  csvExports,
}: { readonly database: Database } & ExportDependencies): readonly ApiOperation[] {
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
        listed: accountDisputes,
        selected: STORED_DISPUTE,
        present,
      }),
      handle: async ({ principal, query }) =>
        pageResponse(query, await listDisputes(database, principal, query), present),
    }),
    readOperation({
      path: '/disputes/{id}',
      operationId: 'getDispute',
      summary: 'Retrieve a dispute',
      resource,
      responseData: disputeResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, present(await readDispute(database, principal, id))),
    }),
  ];
}

function present({ dispute }: StoredDispute) {
  return presentDispute(dispute);
}

/** @throws ApiError `RESOURCE_NOT_FOUND` when the account has none of that id */
async function readDispute(database: Database, scope: AccountScope, id: string): Promise<StoredDispute> {
  const stored = await database.direct.row(selectDispute(requireId('dispute', id), scope));
  if (stored === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return stored;
}

/** One page of the account's disputes, newest first, and how many there are in all. */
function listDisputes(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListDisputes,
): Promise<ReadPage<StoredDispute>> {
  return readPage(database, accountDisputes(scope, filter), STORED_DISPUTE, { page, limit, startingAfter });
}

import { readPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import { SETTLEMENT_COLUMNS, SETTLEMENT_ENTRY_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { presentSettlement, presentSettlementEntry } from '../../../contract/presenters/settlement.ts';
import {
  type ConfirmSettlement,
  confirmSettlementBody,
  listSettlementEntriesQuery,
  listSettlementsQuery,
  type ResolveSettlementEntry,
  resolveSettlementEntryBody,
  settlementEntryResource,
  settlementResource,
} from '../../../contract/schemas/settlement.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import {
  accountSettlementEntries,
  accountSettlements,
  confirmAtBank,
  resolveEntry,
  selectSettlement,
  selectSettlementEntry,
  STORED_SETTLEMENT,
  STORED_SETTLEMENT_ENTRY,
  type StoredSettlement,
  type StoredSettlementEntry,
} from '../../../prisma/queries/settlement.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { actionOperation, type ApiOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';

const resource = 'settlements';

type Dependencies = { readonly database: Database } & IdempotencyDependencies & ExportDependencies;

/** Everything below /settlements and /settlement-entries. */
export function settlementOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [...operationsOnSettlements(dependencies), ...operationsOnEntries(dependencies)];
}

function operationsOnSettlements(dependencies: Dependencies): readonly ApiOperation[] {
  const { database, csvExports } = dependencies;
  const present = ({ settlement }: StoredSettlement) => presentSettlement(settlement);
  return [
    listOperation({
      path: '/settlements',
      operationId: 'listSettlements',
      summary: 'List settlements, newest first',
      description: 'Providers are asked for their settlements once a day.',
      resource,
      query: listSettlementsQuery,
      responseData: settlementResource,
      errors: [],
      csv: createCsvExport({
        database,
        exports: csvExports,
        name: resource,
        columns: SETTLEMENT_COLUMNS,
        listed: accountSettlements,
        selected: STORED_SETTLEMENT,
        present,
      }),
      handle: async ({ principal, query }) => {
        const { page, limit, startingAfter, ...filter } = query;
        const listed = accountSettlements(principal, filter);
        const read = await readPage(database, listed, STORED_SETTLEMENT, { page, limit, startingAfter });
        return pageResponse(query, read, present);
      },
    }),
    readOperation({
      path: '/settlements/{id}',
      operationId: 'getSettlement',
      summary: 'Retrieve a settlement',
      resource,
      responseData: settlementResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, present(await readSettlement(database, principal, id))),
    }),
    actionOperation(
      {
        path: '/settlements/{id}/bank-confirmation',
        operationId: 'confirmSettlement',
        summary: 'Say what the bank statement says of a settlement',
        description: 'It can be said once, and changes no money.',
        resource,
        body: confirmSettlementBody,
        responseData: settlementResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId: () => newId('settlement'),
        handle: async ({ principal, id, body }) =>
          jsonResponse(200, present(await confirmSettlement(database, principal, { id, bank: body }))),
      },
      dependencies,
    ),
  ];
}

function operationsOnEntries({ database, csvExports }: Dependencies): readonly ApiOperation[] {
  const present = ({ entry }: StoredSettlementEntry) => presentSettlementEntry(entry);
  return [
    listOperation({
      path: '/settlement-entries',
      operationId: 'listSettlementEntries',
      summary: 'List the entries of settlements, newest first',
      description: 'With those that are expected and missing. An entry that was corrected is not listed any more.',
      resource,
      query: listSettlementEntriesQuery,
      responseData: settlementEntryResource,
      errors: [],
      csv: createCsvExport({
        database,
        exports: csvExports,
        name: 'settlement-entries',
        columns: SETTLEMENT_ENTRY_COLUMNS,
        listed: accountSettlementEntries,
        selected: STORED_SETTLEMENT_ENTRY,
        present,
      }),
      handle: async ({ principal, query }) => {
        const { page, limit, startingAfter, ...filter } = query;
        const listed = accountSettlementEntries(principal, filter);
        const read = await readPage(database, listed, STORED_SETTLEMENT_ENTRY, { page, limit, startingAfter });
        return pageResponse(query, read, present);
      },
    }),
    readOperation({
      path: '/settlement-entries/{entryId}',
      operationId: 'getSettlementEntry',
      summary: 'Retrieve an entry of a settlement',
      resource,
      responseData: settlementEntryResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, pathParameters: { entryId = '' } }) =>
        jsonResponse(200, present(await readEntry(database, principal, entryId))),
    }),
    updateOperation('patch', {
      path: '/settlement-entries/{entryId}',
      operationId: 'resolveSettlementEntry',
      summary: 'End an exception of a settlement, with a note',
      description: 'Only an exception can be ended. It changes no money.',
      resource,
      body: resolveSettlementEntryBody,
      responseData: settlementEntryResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: () => newId('settlementEntry'),
      handle: async ({ principal, pathParameters: { entryId = '' }, body }) =>
        jsonResponse(200, present(await resolveException(database, principal, { id: entryId, resolved: body }))),
    }),
  ];
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
async function readSettlement({ direct }: Database, scope: AccountScope, id: string): Promise<StoredSettlement> {
  const stored = await direct.row(selectSettlement(requireId('settlement', id), scope));
  if (stored === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return stored;
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
async function readEntry({ direct }: Database, scope: AccountScope, id: string): Promise<StoredSettlementEntry> {
  const stored = await direct.row(selectSettlementEntry(requireId('settlementEntry', id), scope));
  if (stored === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return stored;
}

/** @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` where it was said already */
async function confirmSettlement(
  database: Database,
  principal: Principal,
  { id, bank }: { readonly id: string; readonly bank: ConfirmSettlement },
): Promise<StoredSettlement> {
  await readSettlement(database, principal, id);
  const confirmed = await database.direct.row(confirmAtBank(id, principal, { bank, author: principal }));
  if (confirmed !== undefined) return readSettlement(database, principal, id);
  throw new ApiError('STATE_CONFLICT', {
    message: 'What the bank statement says was recorded already. Read `bank` of the settlement.',
    details: { reason: 'already_confirmed' },
  });
}

/** @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` where it is no exception, or was corrected */
async function resolveException(
  database: Database,
  principal: Principal,
  { id, resolved }: { readonly id: string; readonly resolved: ResolveSettlementEntry },
): Promise<StoredSettlementEntry> {
  const { entry } = await readEntry(database, principal, id);
  const changed = await database.direct.row(resolveEntry(id, principal, { resolved, author: principal }));
  if (changed !== undefined) return readEntry(database, principal, id);
  throw new ApiError('STATE_CONFLICT', {
    message:
      'Only an exception can be ended: an entry that neither matches nor is expected, and that was not corrected.',
    details: { reason: 'no_exception', match: entry.match },
  });
}

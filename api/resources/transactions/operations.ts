import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import {
  type ListTransactions,
  listTransactionsQuery,
  transactionResource,
} from '../../../contract/schemas/transaction.ts';
import { TRANSACTION_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';
import { presentTransaction } from '../../../contract/presenters/transaction.ts';
import {
  accountTransactions,
  selectTransaction,
  STORED_TRANSACTION,
  type StoredTransaction,
} from '../../../prisma/queries/transaction.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { requireId } from '../../../accounts/row-scope.ts';

const resource = 'transactions';

/** Everything below /transactions. */
export function transactionOperations({
  database,
  csvExports,
}: { readonly database: Database } & ExportDependencies): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/transactions',
      operationId: 'listTransactions',
      summary: 'List transactions, newest first',
      resource,
      query: listTransactionsQuery,
      responseData: transactionResource,
      errors: [],
      csv: createCsvExport({
        database,
        exports: csvExports,
        name: resource,
        columns: TRANSACTION_COLUMNS,
        listed: accountTransactions,
        selected: STORED_TRANSACTION,
        present,
      }),
      handle: async ({ principal, query }) =>
        pageResponse(query, await listTransactions(database, principal, query), present),
    }),
    readOperation({
      path: '/transactions/{id}',
      operationId: 'getTransaction',
      summary: 'Retrieve a transaction',
      resource,
      responseData: transactionResource,
      errors: ['TRANSACTION_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, present(await readTransaction(database, principal, id))),
    }),
  ];
}

function present({ transaction, refunds, settled }: StoredTransaction) {
  return presentTransaction(transaction, refunds, settled);
}

/**
 * One transaction of the account.
 * @throws ApiError `TRANSACTION_NOT_FOUND` when the account has none of that id
 */
async function readTransaction(database: Database, scope: AccountScope, id: string): Promise<StoredTransaction> {
  const stored = await database.direct.row(selectTransaction(requireId('transaction', id), scope));
  if (stored === undefined) throw new ApiError('TRANSACTION_NOT_FOUND');
  return stored;
}

/** One page of the account's transactions, newest first, and how many there are in all. */
function listTransactions(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListTransactions,
): Promise<ReadPage<StoredTransaction>> {
  return readPage(database, accountTransactions(scope, filter), STORED_TRANSACTION, { page, limit, startingAfter });
}

import type { Database } from '../../../prisma/client.ts';
import { jsonResponse, pageResponse } from '../answer.ts';
import { type ApiOperation, listOperation, readOperation } from '../endpoint.ts';
import { listTransactionsQuery, transactionResource } from '../../schemas/transaction.ts';
import { presentTransaction } from '../../../presenters/transaction.ts';
import { listTransactions, readTransaction, type StoredTransaction } from './read-transactions.ts';

const resource = 'transactions';

/** Everything below /transactions. */
export function transactionOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/transactions',
      operationId: 'listTransactions',
      summary: 'List transactions, newest first',
      resource,
      query: listTransactionsQuery,
      answer: transactionResource,
      errors: [],
      handle: async ({ access, query }) => {
        const { rows, ...total } = await listTransactions(database, access, query);
        return pageResponse(rows.map(present), { page: query.page, limit: query.limit, ...total });
      },
    }),
    readOperation({
      path: '/transactions/{id}',
      operationId: 'getTransaction',
      summary: 'Retrieve a transaction',
      resource,
      answer: transactionResource,
      errors: ['TRANSACTION_NOT_FOUND'],
      handle: async ({ access, id }) => jsonResponse(200, present(await readTransaction(database, access, id))),
    }),
  ];
}

function present({ transaction, moneyBack }: StoredTransaction) {
  return presentTransaction(transaction, moneyBack);
}

import type { Database } from '../../../prisma/client.ts';
import { answerWith, answerWithPage } from '../answer.ts';
import { type Endpoint, listEndpoint, readEndpoint } from '../endpoint.ts';
import { listTransactionsQuery, transactionResource } from '../../schemas/transaction.ts';
import { presentTransaction } from '../../../presenters/transaction.ts';
import { listTransactions, readTransaction, type StoredTransaction } from './read-transactions.ts';

const resource = 'transactions';

/** Everything below /transactions. */
export function createTransactionEndpoints({ database }: { readonly database: Database }): readonly Endpoint[] {
  return [
    listEndpoint({
      path: '/transactions',
      operationId: 'listTransactions',
      summary: 'List transactions, newest first',
      resource,
      query: listTransactionsQuery,
      answer: transactionResource,
      errors: [],
      handle: async ({ access, query }) => {
        const { rows, ...total } = await listTransactions(database, access, query);
        return answerWithPage(rows.map(present), { page: query.page, limit: query.limit, ...total });
      },
    }),
    readEndpoint({
      path: '/transactions/{id}',
      operationId: 'getTransaction',
      summary: 'Retrieve a transaction',
      resource,
      answer: transactionResource,
      errors: ['TRANSACTION_NOT_FOUND'],
      handle: async ({ access, id }) => answerWith(200, present(await readTransaction(database, access, id))),
    }),
  ];
}

function present({ transaction, moneyBack }: StoredTransaction) {
  return presentTransaction(transaction, moneyBack);
}

import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/client.ts';
import { answerWith, answerWithPage } from '../answer.ts';
import { changeEndpoint, createEndpoint, type Endpoint, listEndpoint, readEndpoint } from '../endpoint.ts';
import type { IdempotencyDependencies } from '../../middleware/idempotency.ts';
import { NO_FIELDS } from '../../schemas/common.ts';
import {
  amendCustomerBody,
  customerBody,
  customerResource,
  deletedCustomer,
  listCustomersQuery,
} from '../../schemas/customer.ts';
import { removeCustomer } from './remove.ts';
import { listCustomers, presentCustomer, readCustomer } from './stored-customer.ts';
import { amendCustomer, insertCustomer, replaceCustomer } from './write.ts';

const resource = 'customers';
const newCustomerId = () => newId('customer');

/** What the operations on customers work with. */
export interface CustomerDependencies {
  readonly database: Database;
}

/** Everything below /customers. */
export function createCustomerEndpoints(
  dependencies: CustomerDependencies & IdempotencyDependencies,
): readonly Endpoint[] {
  const { database } = dependencies;
  return [
    listEndpoint({
      path: '/customers',
      operationId: 'listCustomers',
      summary: 'List customers, newest first',
      resource,
      query: listCustomersQuery,
      answer: customerResource,
      errors: [],
      handle: async ({ access, query }) => {
        const { rows, ...total } = await listCustomers(database, access, query);
        return answerWithPage(rows.map(presentCustomer), { page: query.page, limit: query.limit, ...total });
      },
    }),
    createEndpoint(
      {
        path: '/customers',
        operationId: 'createCustomer',
        summary: 'Create a customer',
        resource,
        body: customerBody,
        answer: customerResource,
        errors: [],
        newResourceId: newCustomerId,
        handle: async ({ access, body }, { resourceId: id }) =>
          answerWith(201, presentCustomer(await insertCustomer(database, access, { id, fields: body }))),
      },
      dependencies,
    ),
    readEndpoint({
      path: '/customers/{id}',
      operationId: 'getCustomer',
      summary: 'Retrieve a customer',
      resource,
      answer: customerResource,
      errors: ['CUSTOMER_NOT_FOUND'],
      handle: async ({ access, id }) => answerWith(200, presentCustomer(await readCustomer(database, access, id))),
    }),
    changeEndpoint('put', {
      path: '/customers/{id}',
      operationId: 'replaceCustomer',
      summary: 'Replace everything that is known of a customer',
      description: 'What the body leaves out is empty afterwards.',
      resource,
      body: customerBody,
      answer: customerResource,
      errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newCustomerId,
      handle: async ({ access, id, body }) =>
        answerWith(200, presentCustomer(await replaceCustomer(database, access, { id, fields: body }))),
    }),
    changeEndpoint('patch', {
      path: '/customers/{id}',
      operationId: 'updateCustomer',
      summary: 'Change some of what is known of a customer',
      description:
        'What the body leaves out stays as it is; `null` empties a field; `metadata` is replaced as a whole.',
      resource,
      body: amendCustomerBody,
      answer: customerResource,
      errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newCustomerId,
      handle: async ({ access, id, body }) =>
        answerWith(200, presentCustomer(await amendCustomer(database, access, { id, fields: body }))),
    }),
    changeEndpoint('delete', {
      path: '/customers/{id}',
      operationId: 'deleteCustomer',
      summary: 'Delete a customer who has no payment open',
      description: 'Payments that have ended keep the id of the customer.',
      resource,
      body: NO_FIELDS,
      answer: deletedCustomer,
      errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newCustomerId,
      handle: async ({ access, id }) => {
        await removeCustomer(database, access, id);
        return answerWith(200, { id, object: 'customer', deleted: true });
      },
    }),
  ];
}

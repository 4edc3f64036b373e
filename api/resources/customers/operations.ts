import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { updateOperation, createOperation, type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  updateCustomerBody,
  customerBody,
  customerResource,
  deletedCustomer,
  listCustomersQuery,
} from '../../../contract/schemas/customer.ts';
import { CUSTOMER_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { accountCustomers, STORED_CUSTOMER } from '../../../prisma/queries/customer.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';
import { deleteCustomer } from './write.ts';
import { listCustomers, readCustomer } from './stored-customer.ts';
import { presentCustomer } from '../../../contract/presenters/customer.ts';
import { updateCustomer, insertCustomer, replaceCustomer } from './write.ts';

const resource = 'customers';
const newCustomerId = () => newId('customer');

/** The dependencies of the operations on customers. */
export interface CustomerDependencies {
  readonly database: Database;
}

type Dependencies = CustomerDependencies & IdempotencyDependencies & ExportDependencies;

/** Everything below /customers. */
export function customerOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listCustomersOperation(dependencies),
    createCustomerOperation(dependencies),
    getCustomerOperation(dependencies),
    replaceCustomerOperation(dependencies),
    updateCustomerOperation(dependencies),
    deleteCustomerOperation(dependencies),
  ];
}

function listCustomersOperation({ database, csvExports }: Dependencies): ApiOperation {
  return listOperation({
    path: '/customers',
    operationId: 'listCustomers',
    summary: 'List customers, newest first',
    resource,
    query: listCustomersQuery,
    responseData: customerResource,
    errors: [],
    csv: createCsvExport({
      database,
      exports: csvExports,
      name: resource,
      columns: CUSTOMER_COLUMNS,
      listed: accountCustomers,
      selected: STORED_CUSTOMER,
      present: presentCustomer,
    }),
    handle: async ({ principal, query }) =>
      pageResponse(query, await listCustomers(database, principal, query), presentCustomer),
  });
}

function createCustomerOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return createOperation(
    {
      path: '/customers',
      operationId: 'createCustomer',
      summary: 'Create a customer',
      resource,
      body: customerBody,
      responseData: customerResource,
      errors: [],
      newResourceId: newCustomerId,
      handle: async ({ principal, body }, { resourceId: id }) =>
        jsonResponse(201, presentCustomer(await insertCustomer(database, principal, { id, fields: body }))),
    },
    dependencies,
  );
}

function getCustomerOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/customers/{id}',
    operationId: 'getCustomer',
    summary: 'Retrieve a customer',
    resource,
    responseData: customerResource,
    errors: ['CUSTOMER_NOT_FOUND'],
    handle: async ({ principal, id }) =>
      jsonResponse(200, presentCustomer(await readCustomer(database, principal, id))),
  });
}

function replaceCustomerOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('put', {
    path: '/customers/{id}',
    operationId: 'replaceCustomer',
    summary: 'Replace all data of a customer',
    description: 'Omitted fields become empty.',
    resource,
    body: customerBody,
    responseData: customerResource,
    errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newCustomerId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(200, presentCustomer(await replaceCustomer(database, principal, { id, fields: body }))),
  });
}

function updateCustomerOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/customers/{id}',
    operationId: 'updateCustomer',
    summary: 'Update some fields of a customer',
    description: 'Omitted fields stay unchanged; `null` clears a field; `metadata` is replaced as a whole.',
    resource,
    body: updateCustomerBody,
    responseData: customerResource,
    errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newCustomerId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(200, presentCustomer(await updateCustomer(database, principal, { id, fields: body }))),
  });
}

function deleteCustomerOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('delete', {
    path: '/customers/{id}',
    operationId: 'deleteCustomer',
    summary: 'Delete a customer without open payments',
    description: 'Payments that have ended keep the id of the customer.',
    resource,
    body: NO_FIELDS,
    responseData: deletedCustomer,
    errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newCustomerId,
    handle: async ({ principal, id }) => {
      await deleteCustomer(database, principal, id);
      return jsonResponse(200, { id, object: 'customer', deleted: true });
    },
  });
}

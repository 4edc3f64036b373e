import type { Database } from '../../../prisma/connection/client.ts';
import type { Customer } from '../../../prisma/generated/client.ts';
import { readOrThrow } from '../../../accounts/writes.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { accountCustomers, STORED_CUSTOMER } from '../../../prisma/queries/customer.ts';
import { ownedBy, requireId } from '../../../accounts/row-scope.ts';
import type { ListCustomers } from '../../../contract/schemas/customer.ts';

/** One of the account's customers, or null. */
export function findCustomer(database: Database, scope: AccountScope, id: string): Promise<Customer | null> {
  return database.customer.findFirst({ where: { id: requireId('customer', id), ...ownedBy(scope) } });
}

/** @throws ApiError `CUSTOMER_NOT_FOUND` */
export function readCustomer(database: Database, scope: AccountScope, id: string): Promise<Customer> {
  return readOrThrow(() => findCustomer(database, scope, id), 'CUSTOMER_NOT_FOUND');
}

/** One page of the account's customers, newest first, and how many there are in all. */
export function listCustomers(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListCustomers,
): Promise<ReadPage<Customer>> {
  return readPage(database, accountCustomers(scope, filter), STORED_CUSTOMER, { page, limit, startingAfter });
}

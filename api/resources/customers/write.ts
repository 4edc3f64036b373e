import type { Database } from '../../../prisma/connection/client.ts';
import type { Customer } from '../../../prisma/generated/client.ts';
import { deleteCustomerWithoutPayment } from '../../../prisma/queries/customer.ts';
import { lockCustomer } from '../../../prisma/queries/lock.ts';
import { updateOptimistically } from '../../../accounts/writes.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import type { CustomerFields, UpdateCustomer } from '../../../contract/schemas/customer.ts';
import { findCustomer, readCustomer } from './stored-customer.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { ownedBy, requireId } from '../../../accounts/row-scope.ts';

/** Inserts the customer, or finds the one that an interrupted execution of the same request inserted. */
export async function insertCustomer(
  database: Database,
  scope: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: CustomerFields },
): Promise<Customer> {
  const [inserted] = await database.customer.createManyAndReturn({
    data: [{ id, ...ownedBy(scope), ...everyField(fields) }],
    skipDuplicates: true,
  });
  return inserted ?? (await readCustomer(database, scope, id));
}

/** Full replacement. @throws ApiError `CUSTOMER_NOT_FOUND`, `STATE_CONFLICT` */
export function replaceCustomer(
  database: Database,
  scope: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: CustomerFields },
): Promise<Customer> {
  return updateCustomerRow(database, scope, { id, changes: everyField(fields) });
}

/** Updates the named fields. @throws ApiError `CUSTOMER_NOT_FOUND`, `STATE_CONFLICT` */
export function updateCustomer(
  database: Database,
  scope: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: UpdateCustomer },
): Promise<Customer> {
  return updateCustomerRow(database, scope, { id, changes: namedFields(fields) });
}

type Changes = Partial<ReturnType<typeof everyField>>;

function updateCustomerRow(
  database: Database,
  scope: AccountScope,
  { id, changes }: { readonly id: string; readonly changes: Changes },
): Promise<Customer> {
  return updateOptimistically(database, {
    read: () => findCustomer(database, scope, id),
    changesOf: () => changes,
    write: async (row, data) => {
      const where = { id: row.id, version: row.version, ...ownedBy(scope) };
      const [changed] = await database.customer.updateManyAndReturn({ where, data });
      return changed;
    },
    notFound: 'CUSTOMER_NOT_FOUND',
  });
}

function everyField({ reference, name, email, phone, description, country, metadata }: CustomerFields) {
  return {
    reference: reference ?? null,
    name: name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    description: description ?? null,
    country: country ?? null,
    metadata,
  } satisfies Record<keyof CustomerFields, unknown>;
}

function namedFields(fields: UpdateCustomer): Changes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Deletes a customer who has no payment open. A statement that gives a payment to a customer locks that customer's row
 * (`lockPayer` in `prisma/queries/payment-intent.ts`): either it commits before this deletion gets the lock, and the deletion
 * sees the payment; or it finds no customer.
 * @throws ApiError `CUSTOMER_NOT_FOUND`, or `STATE_CONFLICT` while a payment of theirs is open
 */
export async function deleteCustomer(database: Database, scope: AccountScope, id: string): Promise<void> {
  const customerId = requireId('customer', id);
  const lock = lockCustomer(customerId, scope);
  const [deletion] = await database.direct.rowsLocked(lock, deleteCustomerWithoutPayment(customerId, scope));
  if (deletion === undefined) throw new ApiError('CUSTOMER_NOT_FOUND');
  if (!deletion.isDeleted) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Expected a customer without open payment intents; this one has some. Cancel them, or wait for their end.',
    });
  }
}

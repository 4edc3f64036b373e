import type { Database } from '../../../prisma/client.ts';
import type { Customer } from '../../../prisma/generated/client.ts';
import { deleteCustomerWithoutPayment, lockCustomer } from '../../../prisma/queries/customer.ts';
import { nextVersion, updateOptimistically } from '../writes.ts';
import type { Owner } from '../lists.ts';
import type { CustomerFields, UpdateCustomer } from '../../schemas/customer.ts';
import { findCustomer, readCustomer } from './stored-customer.ts';
import { ApiError } from '../../middleware/errors.ts';
import { ownedBy, storableId } from '../owner.ts';

/** Inserts the customer, or finds the one that an interrupted run of the same request inserted. */
export async function insertCustomer(
  database: Database,
  owner: Owner,
  { id, fields }: { readonly id: string; readonly fields: CustomerFields },
): Promise<Customer> {
  const [inserted] = await database.customer.createManyAndReturn({
    data: [{ id, ...ownedBy(owner), ...everyField(fields) }],
    skipDuplicates: true,
  });
  return inserted ?? (await readCustomer(database, owner, id));
}

/** Full replacement. @throws ApiError `CUSTOMER_NOT_FOUND`, `STATE_CONFLICT` */
export function replaceCustomer(
  database: Database,
  owner: Owner,
  { id, fields }: { readonly id: string; readonly fields: CustomerFields },
): Promise<Customer> {
  return updateCustomerRow(database, owner, { id, changes: everyField(fields) });
}

/** Changes what is named. @throws ApiError `CUSTOMER_NOT_FOUND`, `STATE_CONFLICT` */
export function updateCustomer(
  database: Database,
  owner: Owner,
  { id, fields }: { readonly id: string; readonly fields: UpdateCustomer },
): Promise<Customer> {
  return updateCustomerRow(database, owner, { id, changes: namedFields(fields) });
}

type Changes = Partial<ReturnType<typeof everyField>>;

function updateCustomerRow(
  database: Database,
  owner: Owner,
  { id, changes }: { readonly id: string; readonly changes: Changes },
): Promise<Customer> {
  return updateOptimistically({
    read: () => findCustomer(database, owner, id),
    write: async (row) => {
      const where = { id: row.id, version: row.version, ...ownedBy(owner) };
      const [changed] = await database.customer.updateManyAndReturn({ where, data: { ...changes, ...nextVersion() } });
      return changed;
    },
    notFound: 'CUSTOMER_NOT_FOUND',
  });
}

function everyField({ name, email, phone, description, country, metadata }: CustomerFields) {
  return {
    name: name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    description: description ?? null,
    country: country ?? null,
    metadata,
  };
}

function namedFields(fields: UpdateCustomer): Changes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Deletes a customer who has no payment open. A statement that gives a payment to a customer locks that customer's row
 * (`payer.ts`): either it commits before this one gets the lock, which then sees the payment, or it finds no customer.
 * @throws ApiError `CUSTOMER_NOT_FOUND`, or `STATE_CONFLICT` while a payment of theirs is open
 */
export async function deleteCustomer(database: Database, owner: Owner, id: string): Promise<void> {
  const customerId = storableId('customer', id);
  const lock = lockCustomer(customerId, owner);
  const [deletion] = await database.direct.rowsLocked(lock, deleteCustomerWithoutPayment(customerId, owner));
  if (deletion === undefined) throw new ApiError('CUSTOMER_NOT_FOUND');
  if (!deletion.isDeleted) {
    throw new ApiError('STATE_CONFLICT', { message: 'A payment intent of the customer is still open.' });
  }
}

import type { Database } from '../../../prisma/client.ts';
import { type Customer, Prisma } from '../../../prisma/generated/client.ts';
import { nextVersion, updateOptimistically } from '../writes.ts';
import type { AccountScope } from '../lists.ts';
import type { CustomerFields, UpdateCustomer } from '../../schemas/customer.ts';
import { findCustomer, ownedBy, readCustomer } from './stored-customer.ts';
import { isTerminal, PAYMENT_STATUSES } from '../../../domain/payment-state.ts';
import { ApiError } from '../../middleware/errors.ts';
import { storableId } from '../row-scope.ts';

/** Inserts the customer, or finds the one that an interrupted execution of the same request inserted. */
export async function insertCustomer(
  database: Database,
  owner: AccountScope,
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
  owner: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: CustomerFields },
): Promise<Customer> {
  return updateCustomerRow(database, owner, { id, changes: everyField(fields) });
}

/** Updates the named fields. @throws ApiError `CUSTOMER_NOT_FOUND`, `STATE_CONFLICT` */
export function updateCustomer(
  database: Database,
  owner: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: UpdateCustomer },
): Promise<Customer> {
  return updateCustomerRow(database, owner, { id, changes: namedFields(fields) });
}

type Changes = Partial<ReturnType<typeof everyField>>;

function updateCustomerRow(
  database: Database,
  owner: AccountScope,
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

const OPEN_STATUSES = Prisma.join(PAYMENT_STATUSES.filter((status) => !isTerminal(status)));

/**
 * Deletes a customer who has no payment open. A statement that gives a payment to a customer locks that customer's row
 * (`payer.ts`): either it commits before this one gets the lock, which then sees the payment, or it finds no customer.
 * @throws ApiError `CUSTOMER_NOT_FOUND`, or `STATE_CONFLICT` while a payment of theirs is open
 */
export async function deleteCustomer(database: Database, owner: AccountScope, id: string): Promise<void> {
  const { merchantAccountId, environment } = owner;
  const customerId = storableId('customer', id);
  const isOwned = Prisma.sql`id = ${customerId} AND merchant_account_id = ${merchantAccountId}
    AND environment = ${environment}`;
  const [locked, deleted] = await database.$transaction([
    database.$queryRaw<{ id: string }[]>`SELECT id FROM customer WHERE ${isOwned} FOR UPDATE`,
    database.$executeRaw`
      DELETE FROM customer WHERE ${isOwned}
        AND NOT EXISTS (
          SELECT FROM payment_intent i
          WHERE i.merchant_account_id = ${merchantAccountId} AND i.customer_id = ${customerId}
            AND i.status IN (${OPEN_STATUSES})
        )
        AND NOT EXISTS (
          SELECT FROM payment_intent_amendment a
          JOIN payment_intent i ON i.id = a.payment_intent_id
          WHERE a.changes->>'customerId' = ${customerId} AND i.status IN (${OPEN_STATUSES})
        )`,
  ]);
  if (locked.length === 0) throw new ApiError('CUSTOMER_NOT_FOUND');
  if (deleted === 0) {
    throw new ApiError('STATE_CONFLICT', { message: 'A payment intent of the customer is still open.' });
  }
}

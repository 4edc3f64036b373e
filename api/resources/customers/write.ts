import type { Database } from '../../../prisma/client.ts';
import type { Customer } from '../../../prisma/generated/client.ts';
import { updateOptimistically, nextVersion } from '../../middleware/change-once.ts';
import type { Owner } from '../lists/conditions.ts';
import type { UpdateCustomer, CustomerFields } from '../../schemas/customer.ts';
import { findCustomer, ownedBy, readCustomer } from './stored-customer.ts';

/** Makes the customer, or finds the one that an interrupted run of the same request has made. */
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

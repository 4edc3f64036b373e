import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { Database } from '../../prisma/client.ts';
import type { Customer } from '../../prisma/generated/client.ts';
import { readOrRefuse } from '../change-once.ts';
import { pageOf } from '../pages.ts';
import { storableId } from '../path-id.ts';
import type { Access } from '../request-context.ts';
import type { CustomerResource, ListCustomers } from '../schemas/customer.ts';

/** Rows of one account in one environment; nothing else is ever visible to a key. */
export type Owner = Pick<Access, 'merchantAccountId' | 'environment'>;

const pairs = z.record(z.string(), z.string());
const environment = z.enum(ENVIRONMENTS);

/** The customer as clients see it. */
export function presentCustomer(row: Customer): CustomerResource {
  return {
    id: row.id,
    object: 'customer',
    merchantId: row.merchantAccountId,
    environment: environment.parse(row.environment),
    name: row.name,
    email: row.email,
    phone: row.phone,
    description: row.description,
    country: row.country,
    metadata: pairs.parse(row.metadata),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** One of the account's customers, or null. */
export function findCustomer(database: Database, owner: Owner, id: string): Promise<Customer | null> {
  return database.customer.findFirst({ where: { id: storableId('customer', id), ...ownedBy(owner) } });
}

/** @throws ApiError `CUSTOMER_NOT_FOUND` */
export function readCustomer(database: Database, owner: Owner, id: string): Promise<Customer> {
  return readOrRefuse(() => findCustomer(database, owner, id), 'CUSTOMER_NOT_FOUND');
}

/** One page of the account's customers, newest first, and how many there are in all. */
export async function listCustomers(
  database: Database,
  owner: Owner,
  query: ListCustomers,
): Promise<{ readonly customers: readonly Customer[]; readonly total: number }> {
  const where = { ...ownedBy(owner), ...(query.email === undefined ? {} : { email: query.email }) };
  const [customers, total] = await Promise.all([
    database.customer.findMany({ where, ...pageOf(query) }),
    database.customer.count({ where }),
  ]);
  return { customers, total };
}

export function ownedBy({ merchantAccountId, environment: side }: Owner): Owner {
  return { merchantAccountId, environment: side };
}

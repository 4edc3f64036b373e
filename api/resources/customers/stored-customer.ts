import { z } from 'zod';
import { ENVIRONMENTS } from '../../../domain/payment.ts';
import type { Database } from '../../../prisma/client.ts';
import { type Customer, Prisma } from '../../../prisma/generated/client.ts';
import { readOrThrow } from '../writes.ts';
import {
  createdBetween,
  NEWEST_FIRST,
  ofAccount,
  type AccountScope,
  readPage,
  type ReadPage,
  withValues,
} from '../lists.ts';
import { storableId } from '../row-scope.ts';
import type { CustomerResource, ListCustomers } from '../../schemas/customer.ts';

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
export function findCustomer(database: Database, owner: AccountScope, id: string): Promise<Customer | null> {
  return database.customer.findFirst({ where: { id: storableId('customer', id), ...ownedBy(owner) } });
}

/** @throws ApiError `CUSTOMER_NOT_FOUND` */
export function readCustomer(database: Database, owner: AccountScope, id: string): Promise<Customer> {
  return readOrThrow(() => findCustomer(database, owner, id), 'CUSTOMER_NOT_FOUND');
}

const CUSTOMER_COLUMNS = Prisma.sql`
  r.id, r.merchant_account_id AS "merchantAccountId", r.environment, r.name, r.email, r.phone, r.description, r.country,
  r.metadata, r.version, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

/** One page of the account's customers, newest first, and how many there are in all. */
export function listCustomers(
  database: Database,
  owner: AccountScope,
  { page, limit, email, ...times }: ListCustomers,
): Promise<ReadPage<Customer>> {
  const listed = {
    table: 'customer',
    conditions: [ofAccount(owner), ...withValues({ email }), ...createdBetween(times)],
    order: NEWEST_FIRST,
  };
  return readPage(database, listed, CUSTOMER_COLUMNS, { page, limit });
}

export function ownedBy({ merchantAccountId, environment: side }: AccountScope): AccountScope {
  return { merchantAccountId, environment: side };
}

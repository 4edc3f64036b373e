import type { Database } from '../../../prisma/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { Principal } from '../../middleware/request-context.ts';
import { Prisma } from '../../../prisma/generated/client.ts';

/**
 * The country of one of the account's customers, or null where none is known.
 * @throws ApiError `CUSTOMER_NOT_FOUND`
 */
export async function readCustomerCountry(
  database: Database,
  { merchantAccountId, environment }: Principal,
  customerId: string,
): Promise<string | null> {
  const customer = await database.customer.findFirst({
    where: { id: customerId, merchantAccountId, environment },
    select: { country: true },
  });
  if (customer === null) throw customerNotFound(customerId);
  return customer.country;
}

/** The error of a payment that names an unknown customer. */
export function customerNotFound(customerId: string): ApiError {
  return new ApiError('CUSTOMER_NOT_FOUND', { details: { customerId } });
}

/**
 * A table expression named `payer` that has a row if the customer belongs to the account, and locks that customer against
 * deletion until the statement has committed. Without a customer it has a row too.
 */
export function lockPayer({ merchantAccountId, environment }: Principal, customerId: string | null): Prisma.Sql {
  return customerId === null
    ? Prisma.sql`payer AS (SELECT 1)`
    : Prisma.sql`payer AS MATERIALIZED (
        SELECT id FROM customer
        WHERE id = ${customerId} AND merchant_account_id = ${merchantAccountId} AND environment = ${environment}
        FOR KEY SHARE
      )`;
}

import { Prisma } from '../../../prisma/generated/client.ts';
import type { Principal } from '../../middleware/request-context.ts';

/**
 * A table expression named `payer` that holds a row as long as the customer is the account's, and keeps that customer
 * from being deleted until the statement has committed. Without a customer it has a row too.
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

import { Prisma } from '../generated/client.ts';

// Raw, because Prisma Client takes no row locks. Each locks until the end of the transaction.

/** Lets one transaction at a time add to what belongs to a merchant. */
export function lockMerchant(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Lets one transaction at a time add to what belongs to a merchant account. */
export function lockMerchantAccount(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant_account WHERE id = ${id} FOR NO KEY UPDATE`;
}

import { Prisma } from './generated/client.ts';

/**
 * Up to which sequence events of an account have been deleted, as SQL. Some of those before it may be kept still, when
 * something was left to be done with them; whoever goes on behind one of these would miss what is gone.
 * @param account the account's id, as SQL
 */
export function purgedThrough(account: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT last_value FROM event_counter WHERE scope = ${scopeOf(account)}), 0)`;
}

/** The statement that keeps it, for rows \`(merchant_account_id, sequence)\` that the same statement deletes. */
export function markPurged(deleted: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO event_counter (scope, last_value)
    SELECT ${scopeOf(Prisma.sql`merchant_account_id`)}, max(sequence) FROM ${deleted}
    WHERE sequence IS NOT NULL GROUP BY merchant_account_id ORDER BY merchant_account_id
    ON CONFLICT (scope) DO UPDATE SET last_value = greatest(event_counter.last_value, excluded.last_value)`;
}

function scopeOf(account: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`'purged ' || ${account}`;
}

import { Prisma } from '../generated/client.ts';

/**
 * The highest sequence of an account at which an event was deleted (the horizon), as SQL. Earlier events may still exist, when
 * they had undelivered webhooks; a reader whose cursor is before the horizon has missed events all the same.
 * @param account the account's id, as SQL
 */
export function purgedThrough(account: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT last_value FROM event_counter WHERE scope = ${scopeOf(account)}), 0)`;
}

/** The statement that raises the horizon, for rows `(merchant_account_id, sequence)` that the same statement deletes. */
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

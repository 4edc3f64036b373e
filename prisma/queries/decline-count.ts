import { countInWindow } from '../fragments/count-in-window.ts';
import { Prisma } from '../generated/client.ts';
import { bigint, integer, returning, text } from '../connection/statement.ts';

/**
 * Adds one to the counts of the keys, in rows of `rate_limit`; a count whose window has ended begins again. The order of the
 * keys keeps concurrent statements from waiting for each other in a circle.
 */
export function incrementCounts(
  keys: readonly string[],
  { nowMs, windowMs }: { readonly nowMs: number; readonly windowMs: number },
) {
  const now = Prisma.sql`${nowMs}::bigint`;
  return returning({ key: text, points: integer, expire: bigint })`
    INSERT INTO rate_limit AS r (key, points, expire)
    SELECT key, 1, ${now} + ${windowMs}::bigint FROM unnest(${keys}::text[]) AS key ORDER BY key
    ${countInWindow(now)}
    RETURNING key::text AS key, points, coalesce(expire, 0) AS expire`;
}

/** Takes one from the counts of the keys. */
export function decrementCounts(keys: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE rate_limit SET points = GREATEST(rate_limit.points - 1, 0)
    FROM (SELECT key FROM rate_limit WHERE key = ANY(${keys}::text[]) ORDER BY key FOR UPDATE) AS counted
    WHERE rate_limit.key = counted.key`;
}

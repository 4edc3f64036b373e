import { Prisma } from '../generated/client.ts';

/**
 * The end of a statement that inserts into `rate_limit AS r`: adds to the counts that exist; a count whose window has ended
 * begins again.
 * @param now milliseconds since 1970
 */
export function countInWindow(now: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN r.expire <= ${now} THEN excluded.points ELSE r.points + excluded.points END,
        expire = CASE WHEN r.expire <= ${now} THEN excluded.expire ELSE r.expire END`;
}

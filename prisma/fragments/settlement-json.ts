import { Prisma } from '../generated/client.ts';

/** An entry of a settlement as JSON, without what only imports read, from a row of that name, ours. */
export function settlementEntryJson(row: string): Prisma.Sql {
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ARRAY['reported', 'seen_import_id', 'superseded_at']`;
}

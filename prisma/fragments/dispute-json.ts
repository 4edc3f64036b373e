import { Prisma } from '../generated/client.ts';

/** A dispute as JSON, without its reports and the merchant's answer, from a row of that name, ours. */
export function disputeJson(row: string): Prisma.Sql {
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ARRAY['reports', 'evidence', 'next_due_at', 'operation_called_at']`;
}

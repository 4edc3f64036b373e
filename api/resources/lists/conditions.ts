import { Prisma } from '../../../prisma/generated/client.ts';
import type { Principal } from '../../middleware/request-context.ts';

/** Rows of one account in one environment; nothing else is ever visible to a key. */
export type Owner = Pick<Principal, 'merchantAccountId' | 'environment'>;

/**
 * Rows of the account. An account belongs to one environment and is never named by a key of the other, so that the
 * index by account is enough.
 */
export function ofAccount({ merchantAccountId }: Owner): Prisma.Sql {
  return Prisma.sql`merchant_account_id = ${merchantAccountId}`;
}

/** Rows that have exactly these values; what is undefined was not asked for. */
export function withValues(values: Readonly<Record<string, string | undefined>>): readonly Prisma.Sql[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [Prisma.sql`${Prisma.raw(column)} = ${value}`],
  );
}

/** Rows made strictly between two times, either of which may be open. */
export function createdBetween({
  createdAfter,
  createdBefore,
}: {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}): readonly Prisma.Sql[] {
  return [
    ...(createdAfter === undefined ? [] : [Prisma.sql`created_at > ${createdAfter.toISOString()}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [Prisma.sql`created_at < ${createdBefore.toISOString()}::timestamptz`]),
  ];
}

import { kindOfProviderAccount } from '../../domain/provider-account.ts';
import type { Environment } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';

/** Rows of one account in one environment; nothing else is ever visible to a key. */
export interface AccountScope {
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/**
 * Rows of the account. An account belongs to one environment and is never named by a key of the other, so that the
 * index by account is enough.
 */
export function ofAccount({ merchantAccountId }: { readonly merchantAccountId: string }): Prisma.Sql {
  return Prisma.sql`merchant_account_id = ${merchantAccountId}`;
}

/** The row with this id, if it belongs to the account and environment. @param row its name in the statement, never from a client */
export function isOwned(id: string, scope: AccountScope, row?: string): Prisma.Sql {
  const prefix = Prisma.raw(row === undefined ? '' : `${row}.`);
  return Prisma.sql`${prefix}id = ${id} AND ${isOfScope(scope, row)}`;
}

/** Rows of the account and environment. @param row their name in the statement, never from a client */
export function isOfScope({ merchantAccountId, environment }: AccountScope, row?: string): Prisma.Sql {
  const prefix = Prisma.raw(row === undefined ? '' : `${row}.`);
  return Prisma.sql`${prefix}merchant_account_id = ${merchantAccountId} AND ${prefix}environment = ${environment}`;
}

/** The reading of an account's test clock in seconds, as SQL; 0 where it was never advanced, as in production. */
export function testClockOf({ merchantAccountId, environment }: AccountScope): Prisma.Sql {
  return Prisma.sql`COALESCE((SELECT advanced_seconds FROM test_clock c
    WHERE c.merchant_account_id = ${merchantAccountId} AND c.environment = ${environment}), 0)`;
}

/** Rows that have exactly these values; undefined values are no condition. */
export function withValues(values: Readonly<Record<string, string | undefined>>): readonly Prisma.Sql[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [Prisma.sql`${Prisma.raw(column)} = ${value}`],
  );
}

/** Two amounts in minor units, both included, either of which may be open. */
export interface AmountRange {
  readonly amountMin?: number | undefined;
  readonly amountMax?: number | undefined;
}

/** Rows whose amount is in a range. */
export function amountWithin({ amountMin, amountMax }: AmountRange): readonly Prisma.Sql[] {
  return [
    ...(amountMin === undefined ? [] : [Prisma.sql`amount_minor >= ${amountMin}::bigint`]),
    ...(amountMax === undefined ? [] : [Prisma.sql`amount_minor <= ${amountMax}::bigint`]),
  ];
}

/** Times between which rows were made, each of which may be open. */
export interface CreationTimes {
  /** Itself included, unlike the others. */
  readonly createdFrom?: Date | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Rows made between these times. */
export function createdBetween({ createdFrom, createdAfter, createdBefore }: CreationTimes): readonly Prisma.Sql[] {
  return [
    ...(createdFrom === undefined ? [] : [Prisma.sql`created_at >= ${createdFrom.toISOString()}::timestamptz`]),
    ...(createdAfter === undefined ? [] : [Prisma.sql`created_at > ${createdAfter.toISOString()}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [Prisma.sql`created_at < ${createdBefore.toISOString()}::timestamptz`]),
  ];
}

/**
 * Whether an account at a provider exists, and meets a condition; then it is locked against deletion until the statement has
 * committed. True for every provider that is not an account.
 */
export function isKeptFromDeletion(provider: string, condition = Prisma.sql`true`): Prisma.Sql {
  if (kindOfProviderAccount(provider) === undefined) return Prisma.sql`true`;
  return Prisma.sql`EXISTS (SELECT FROM provider_account WHERE id = ${provider} AND ${condition} FOR KEY SHARE)`;
}

/** Keys that are neither revoked nor expired. */
export function liveAt(time: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: time } }] } satisfies Prisma.ApiKeyWhereInput;
}

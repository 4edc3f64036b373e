import { kindOfProviderAccount } from '../../domain/provider-account.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { ProviderAccount } from '../../prisma/generated/client.ts';
import { providerAccountRowOf } from '../../prisma/fragments/provider-account-json.ts';
import { presentProviderAccount } from '../../contract/presenters/provider-account.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { ListProviderAccounts, ProviderAccountResource } from '../../contract/schemas/provider-account.ts';
import type { AuditedResource } from '../audit.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../lists.ts';
import { ownedBy } from '../row-scope.ts';
import { readOrThrow } from '../writes.ts';

/** The account as clients see it. */
export function presentAccount(row: ProviderAccount): ProviderAccountResource {
  return presentProviderAccount(providerAccountRowOf(row));
}

/** The account as the audit log shows it. */
export function describeAccount(row: ProviderAccount): AuditedResource {
  return { id: row.id, merchantAccountId: row.merchantAccountId, state: presentAccount(row) };
}

/** The condition on one of the merchant account's accounts. @throws ApiError `RESOURCE_NOT_FOUND` for what is no such id */
export function ownAccount(scope: AccountScope, id: string) {
  if (kindOfProviderAccount(id) === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return { id, ...ownedBy(scope) };
}

/** One of the merchant account's accounts, or null. */
export function findAccount(database: Database, scope: AccountScope, id: string): Promise<ProviderAccount | null> {
  return database.providerAccount.findFirst({ where: ownAccount(scope, id) });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readAccount(database: Database, scope: AccountScope, id: string): Promise<ProviderAccount> {
  return readOrThrow(() => findAccount(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the merchant account's accounts, newest first, and how many there are in all. */
export async function listAccounts(
  database: Database,
  scope: AccountScope,
  { kind, status, ...page }: ListProviderAccounts,
): Promise<CountedPage<ProviderAccount>> {
  const where = {
    ...ownedBy(scope),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
  };
  const { after, window } = await smallPage(page, (id) =>
    database.providerAccount.findFirst({ where: { id, ...ownedBy(scope) }, select: PLACE }),
  );
  return countedPage(
    database.providerAccount.findMany({ where: { AND: [where, after] }, ...window }),
    database.providerAccount.count({ where }),
  );
}

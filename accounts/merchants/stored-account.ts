import type { Database } from '../../prisma/connection/client.ts';
import type { MerchantAccount } from '../../prisma/generated/client.ts';
import type { Principal } from '../../domain/principal.ts';
import type { AuditedResource } from '../audit.ts';
import { readOrThrow } from '../writes.ts';
import { countedPage, type CountedPage, type PageRequest, PLACE, smallPage } from '../lists.ts';
import { type MerchantScope, ofMerchant, requireId } from '../row-scope.ts';
import { presentMerchantAccount } from '../../contract/presenters/merchant-account.ts';

/** The account as the audit log shows it. */
export function describeAccount(row: MerchantAccount): AuditedResource {
  return { id: row.id, merchantAccountId: row.id, state: presentMerchantAccount(row) };
}

/** Who asks for accounts of a merchant: a key that is bound to its account sees no other. */
export type AccountsScope = MerchantScope & Partial<Pick<Principal, 'merchantAccountId' | 'keyLimits'>>;

/** The condition on the accounts that the key may act for. */
export function ofAccounts(scope: AccountsScope) {
  const { keyLimits, merchantAccountId: id = '' } = scope;
  return { ...ofMerchant(scope), ...(keyLimits?.accountBound === true ? { AND: { id } } : {}) };
}

/** One of the merchant's accounts, or null. */
export function findAccount(
  { merchantAccount }: Pick<Database, 'merchantAccount'>,
  scope: AccountsScope,
  id: string,
): Promise<MerchantAccount | null> {
  return merchantAccount.findFirst({ where: { id: requireId('merchantAccount', id), ...ofAccounts(scope) } });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readAccount(database: Database, scope: AccountsScope, id: string): Promise<MerchantAccount> {
  return readOrThrow(() => findAccount(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the merchant's accounts, newest first, and how many there are in all. */
export async function listAccounts(
  database: Database,
  scope: AccountsScope,
  page: PageRequest,
): Promise<CountedPage<MerchantAccount>> {
  const where = ofAccounts(scope);
  const { after, window } = await smallPage(page, (id) =>
    database.merchantAccount.findFirst({ where: { AND: [where, { id }] }, select: PLACE }),
  );
  return countedPage(
    database.merchantAccount.findMany({ where: { AND: [where, after] }, ...window }),
    database.merchantAccount.count({ where }),
  );
}

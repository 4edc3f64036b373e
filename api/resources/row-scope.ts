import type { Principal } from '../middleware/request-context.ts';
import type { AccountScope } from '../../prisma/conditions.ts';
import { isId, type ResourceKind } from '../../domain/ids.ts';

/** The rows that all accounts of a merchant share in one environment. */
export type MerchantScope = Pick<Principal, 'merchantId' | 'environment'>;

/** The condition on such rows. */
export function ofMerchant({ merchantId, environment }: MerchantScope): MerchantScope {
  return { merchantId, environment };
}

/** The condition on rows of one account. */
export function ownedBy({ merchantAccountId, environment }: AccountScope): AccountScope {
  return { merchantAccountId, environment };
}

/** An id from a path, or an empty text, which is no row's id: a path may hold text that the database cannot compare with. */
export function storableId(kind: ResourceKind, id: string): string {
  return isId(kind, id) ? id : '';
}

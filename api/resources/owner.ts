import type { Principal } from '../middleware/request-context.ts';
import { isId, type ResourceKind } from '../../domain/ids.ts';

/** Whose rows they are that all accounts of a merchant share: the merchant's, in one environment. */
export type MerchantOwner = Pick<Principal, 'merchantId' | 'environment'>;

/** What such rows have in common. */
export function ofMerchant({ merchantId, environment }: MerchantOwner): MerchantOwner {
  return { merchantId, environment };
}

/** An id from a path, or an empty text, which is nothing's id: paths may hold what the database refuses to compare with. */
export function storableId(kind: ResourceKind, id: string): string {
  return isId(kind, id) ? id : '';
}

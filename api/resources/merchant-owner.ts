import type { Principal } from '../middleware/request-context.ts';

/** Whose rows they are that all accounts of a merchant share: the merchant's, in one environment. */
export type MerchantOwner = Pick<Principal, 'merchantId' | 'environment'>;

/** What such rows have in common. */
export function ofMerchant({ merchantId, environment }: MerchantOwner): MerchantOwner {
  return { merchantId, environment };
}

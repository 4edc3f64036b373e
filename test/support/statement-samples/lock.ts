import type * as lock from '../../../prisma/queries/lock.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof lock> = {
  lockMerchant: [['org_1']],
  lockMerchantAccount: [['mer_1']],
};

import type * as refund from '../../../prisma/queries/refund.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof refund> = {
  selectRefund: [['re_1', { merchantAccountId: 'mer_1', environment: 'sandbox' }]],
  selectSucceededRefund: [['re_1']],
};

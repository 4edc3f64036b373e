import type * as refund from '../../../prisma/queries/refund.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof refund> = {
  selectRefund: [['re_1', ACCOUNT]],
  selectSucceededRefund: [['re_1']],
};

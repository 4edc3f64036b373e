import type * as transaction from '../../../prisma/queries/transaction.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof transaction> = {
  selectTransaction: [['txn_1', ACCOUNT]],
  selectRefundable: [['txn_1', ACCOUNT]],
  selectCapture: [['pi_1', ACCOUNT]],
};

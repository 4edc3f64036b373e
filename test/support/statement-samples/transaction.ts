import type * as transaction from '../../../prisma/queries/transaction.ts';
import type { SamplesOf } from './samples-of.ts';

const ACCOUNT = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof transaction> = {
  selectTransaction: [['txn_1', ACCOUNT]],
  selectRefundable: [['txn_1', ACCOUNT]],
  selectCapture: [['pi_1', ACCOUNT]],
};

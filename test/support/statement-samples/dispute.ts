import type * as dispute from '../../../prisma/queries/dispute.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof dispute> = {
  selectDispute: [['dp_1', ACCOUNT]],
  selectDisputesOfPayment: [['pi_1']],
};

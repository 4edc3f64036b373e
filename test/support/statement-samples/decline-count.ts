import type * as declineCount from '../../../prisma/queries/decline-count.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof declineCount> = {
  incrementCounts: [[['declines:card:1', 'declines:account:mer_1'], { nowMs: 0, windowMs: 1 }]],
  decrementCounts: [[['declines:card:1', 'declines:account:mer_1']]],
};

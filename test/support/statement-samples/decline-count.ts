import type * as declineCount from '../../../prisma/queries/decline-count.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof declineCount> = {
  addToCounts: [[['declines:card:1', 'declines:account:mer_1'], { nowMs: 0, windowMs: 1 }]],
  takeFromCounts: [[['declines:card:1', 'declines:account:mer_1']]],
};

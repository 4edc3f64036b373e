import type * as webhookRecovery from '../../../prisma/queries/webhook-recovery.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof webhookRecovery> = {
  claimRecoveries: [[]],
  selectProbe: [['whe_1']],
  postponeProbe: [
    ['whe_1', new Date(0)],
    ['whe_1', null],
  ],
  claimHeld: [[{ webhookEndpointId: 'whe_1', limit: 100 }]],
  endTurn: [
    ['whe_1', true],
    ['whe_1', false],
  ],
  settleHeld: [[2_000]],
  selectDeliveryCounts: [[['whe_1', 'whe_2']]],
};

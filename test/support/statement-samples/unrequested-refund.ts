import type * as unrequestedRefund from '../../../prisma/queries/unrequested-refund.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-01-02T03:04:05.678Z';

export const samples: SamplesOf<typeof unrequestedRefund> = {
  recordUnrequestedRefund: [
    [
      {
        id: 're_1',
        attemptId: 'att_1',
        provider: 'alpha',
        providerRefundId: 'PSP2',
        amountMinor: 300,
        currency: 'USD',
        at: AT,
      },
    ],
  ],
};

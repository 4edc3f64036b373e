import type * as refundEnd from '../../../prisma/queries/refund-end.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-01-02T03:04:05.678Z';

export const samples: SamplesOf<typeof refundEnd> = {
  selectRefundEnd: [['re_1']],
  endRefund: [[{ refundId: 're_1', at: AT, status: 'succeeded', providerRefundId: 'pr_1', failure: null, tries: 1 }]],
  failSucceededRefund: [
    [
      {
        refundId: 're_1',
        at: AT,
        status: 'failed',
        providerRefundId: 'pr_1',
        failure: { code: 'REFUND_FAILED', message: 'no', details: {} },
        tries: 0,
      },
    ],
  ],
};

import type * as refund from '../../../prisma/queries/refund.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof refund> = {
  selectRefund: [['re_1', ACCOUNT]],
  beginRefund: [['re_1']],
  acceptRefund: [['re_1', 'simre_1']],
  raiseRefundAdvisory: [
    ['re_1', { code: 'WAITING_FOR_PROVIDER', since: '2026-11-28T10:00:00.000Z', operation: 'refund' }],
  ],
  selectSucceededRefund: [['re_1']],
};

import type * as refund from '../../../prisma/queries/refund.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-01-02T03:04:05.678Z';
const CAPTURE = {
  transactionId: 'txn_1',
  paymentIntentId: 'pi_1',
  attemptId: 'att_1',
  provider: 'alpha',
  providerPaymentId: 'pp_1',
};

export const samples: SamplesOf<typeof refund> = {
  selectRefund: [['re_1', { merchantAccountId: 'mer_1', environment: 'sandbox' }]],
  selectSucceededRefund: [['re_1']],
  selectRefundEnd: [['re_1']],
  reserveRefund: [
    [
      {
        id: 're_1',
        account: { merchantAccountId: 'mer_1', environment: 'sandbox' },
        capture: CAPTURE,
        amountMinor: null,
        reason: null,
        reference: 'CREDIT-NOTE-7',
        metadata: {},
        at: AT,
      },
    ],
  ],
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

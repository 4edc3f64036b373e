import type * as refundReservation from '../../../prisma/queries/refund-reservation.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-01-02T03:04:05.678Z';
const CAPTURE = {
  transactionId: 'txn_1',
  paymentIntentId: 'pi_1',
  attemptId: 'att_1',
  provider: 'alpha',
  providerPaymentId: 'pp_1',
};

export const samples: SamplesOf<typeof refundReservation> = {
  reserveRefund: [
    [
      {
        id: 're_1',
        account: ACCOUNT,
        capture: CAPTURE,
        amountMinor: null,
        reason: null,
        reference: 'CREDIT-NOTE-7',
        metadata: {},
        author: null,
        at: AT,
      },
    ],
    [
      {
        id: 're_1',
        account: ACCOUNT,
        capture: CAPTURE,
        amountMinor: 100,
        reason: 'requested_by_customer',
        reference: null,
        metadata: {},
        author: { merchantId: 'org_1', actor: { type: 'person', id: 'per_1', address: '192.0.2.1' } },
        at: AT,
      },
    ],
  ],
};

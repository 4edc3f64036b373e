import type * as webhookDelivery from '../../../prisma/queries/webhook-delivery.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const CLAIMS = { limit: 100, claimSeconds: 10 };
const REDELIVERY = { eventId: 'evt_1', merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof webhookDelivery> = {
  selectUnplanned: [[]],
  insertPlanned: [[500]],
  unblockDeliveries: [[{ isHeld: false, after: '', limit: 1_000 }], [{ isHeld: true, after: '', limit: 1_000 }]],
  holdDeliveries: [[1_000]],
  claimUnstarted: [[{ ...CLAIMS, afterEndpoint: '' }]],
  markStarted: [['whd_1']],
  claimOverdue: [[CLAIMS]],
  insertRedeliveries: [[{ ...REDELIVERY, webhookEndpointId: null }], [{ ...REDELIVERY, webhookEndpointId: 'whe_1' }]],
  insertMissed: [[{ ...ACCOUNT, webhookEndpointId: 'whe_1', since: new Date(0), limit: 1_000, examined: 10_000 }]],
};

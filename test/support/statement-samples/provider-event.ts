import type * as providerEvent from '../../../prisma/queries/provider-event.ts';
import type { SamplesOf } from './samples-of.ts';

const receivedBefore = new Date(0);
const EVENT = { provider: 'alpha', eventId: 'one', receivedAt: new Date(0) };

const REPORT = { provider: 'alpha', eventId: 'e1', attemptId: 'att_1', outcome: { kind: 'not_charged' } } as const;

export const samples: SamplesOf<typeof providerEvent> = {
  insertProviderEvent: [[REPORT, { paymentIntentId: 'pi_1', refundId: null }]],
  selectProviderEvent: [
    [REPORT, { paymentIntentId: 'pi_1', refundId: null }],
    [REPORT, { paymentIntentId: 'pi_1', refundId: 're_1' }],
  ],
  selectLatestReports: [
    ['alpha', { paymentIntentId: 'pi_1', refundId: null }],
    ['alpha', { paymentIntentId: 'pi_1', refundId: 're_1' }],
  ],
  markRepeatedOutcomes: [[receivedBefore]],
  markEndedRefunds: [[receivedBefore]],
  adoptUnknown: [[]],
  selectUndelivered: [
    [{ receivedBefore, after: [], limit: 100 }],
    [{ receivedBefore, after: [{ ...EVENT, merchantAccountId: 'mer_1' }], limit: 100 }],
  ],
  markReceived: [[EVENT]],
  markDelivered: [[EVENT]],
};

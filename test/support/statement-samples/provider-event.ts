import type * as providerEvent from '../../../prisma/queries/provider-event.ts';
import type { SamplesOf } from './samples-of.ts';

const EVENT = { provider: 'alpha', eventId: 'e1', attemptId: 'att_1', outcome: { kind: 'not_charged' } } as const;

export const samples: SamplesOf<typeof providerEvent> = {
  insertProviderEvent: [[EVENT, { paymentIntentId: 'pi_1', refundId: null }]],
};

import type * as providerEvent from '../../../prisma/queries/provider-event.ts';
import type { SamplesOf } from './samples-of.ts';

const receivedBefore = new Date(0);
const EVENT = { provider: 'alpha', eventId: 'one', receivedAt: new Date(0) };

export const samples: SamplesOf<typeof providerEvent> = {
  markRepeatedOutcomes: [[receivedBefore]],
  markEndedRefunds: [[receivedBefore]],
  selectUndelivered: [
    [{ receivedBefore, after: undefined, limit: 100 }],
    [{ receivedBefore, after: EVENT, limit: 100 }],
  ],
  markDelivered: [[EVENT]],
};

import type * as event from '../../../prisma/queries/event.ts';
import type { SamplesOf } from './samples-of.ts';
const INTENT = { paymentIntentId: 'pi_1', merchantAccountId: 'mer_1' };

export const samples: SamplesOf<typeof event> = {
  numberEvents: [[500]],
  selectEventsAfter: [
    [0, 500],
    [19_000, 500],
  ],
  selectLastPosition: [[]],
  selectAccountEvents: [[{ merchantAccountId: 'mer_1', sequence: 7, limit: 200 }]],
  selectIntentEvents: [[{ ...INTENT, insertion: 70, position: 0, limit: 200 }]],
  selectAccountState: [
    ['mer_1', null],
    ['mer_1', 'evt_1'],
  ],
  selectIntentState: [
    [INTENT, null],
    [INTENT, 'evt_1'],
  ],
  selectSequence: [['evt_1', 'mer_1']],
};

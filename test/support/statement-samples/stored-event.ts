import type * as storedEvent from '../../../prisma/queries/stored-event.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof storedEvent> = {
  selectEvent: [['evt_1']],
  selectAccountEvent: [['evt_1', ACCOUNT]],
};

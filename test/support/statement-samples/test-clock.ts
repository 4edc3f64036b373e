import type * as testClock from '../../../prisma/queries/test-clock.ts';
import type { SamplesOf } from './samples-of.ts';

const READING = { merchantAccountId: 'mer_1', advancedSeconds: 90 };

export const samples: SamplesOf<typeof testClock> = {
  selectTestClockLag: [['pi_1']],
  claimTestClock: [[]],
  goOnWithPass: [[READING]],
  selectPaymentsBehind: [[READING, { after: '', limit: 10 }]],
  endPasses: [[READING]],
};

import type * as providerHealth from '../../../prisma/queries/provider-health.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof providerHealth> = {
  selectProviderHealth: [[{ ...ACCOUNT, merchantId: 'm_1' }]],
  selectAttemptsByHour: [[]],
  selectAttemptTimesByHour: [[]],
};

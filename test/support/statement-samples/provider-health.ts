import type * as providerHealth from '../../../prisma/queries/provider-health.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof providerHealth> = {
  selectProviderHealth: [[{ merchantId: 'm_1', merchantAccountId: 'mer_1', environment: 'sandbox' }]],
};

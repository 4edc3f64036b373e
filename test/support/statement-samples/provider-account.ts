import type * as providerAccount from '../../../prisma/queries/provider-account.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof providerAccount> = {
  selectProviderAccount: [[`simulator_${'0'.repeat(32)}`]],
};

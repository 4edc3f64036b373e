import type * as providerAccount from '../../../prisma/queries/provider-account.ts';
import type { SamplesOf } from './samples-of.ts';

const ACCOUNT = { id: `simulator_${'0'.repeat(32)}`, version: 0 };

export const samples: SamplesOf<typeof providerAccount> = {
  selectProviderAccount: [[`simulator_${'0'.repeat(32)}`]],
  selectPreviousCredentials: [[ACCOUNT.id]],
  selectProviderAccountUse: [[`simulator_${'0'.repeat(32)}`, { merchantAccountId: 'mer_1' }]],
  noteRefusedCredentials: [[ACCOUNT, 'authorize']],
  noteAcceptedCredentials: [[ACCOUNT, 'authorize']],
  selectAccountsToWatch: [
    [{ after: undefined, limit: 100, disabledDays: 30 }],
    [{ after: `evm_${'0'.repeat(32)}`, limit: 100, disabledDays: 30 }],
  ],
};

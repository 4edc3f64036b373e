import type * as lock from '../../../prisma/queries/lock.ts';
import type { SamplesOf } from './samples-of.ts';

const OWNER = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof lock> = {
  lockMerchant: [['org_1']],
  lockMerchantAccount: [['mer_1']],
  lockOwnKey: [['key_1']],
  lockApiKey: [['key_1', OWNER]],
  lockCustomer: [['cus_1', OWNER]],
  lockProviderAccount: [[`simulator_${'0'.repeat(32)}`, OWNER]],
  lockPaymentLink: [['plink_1']],
  lockIntent: [['pi_1']],
  lockDepositCursor: [['evm']],
  lockWebhookCursor: [[]],
  lockStatisticsCursor: [[]],
  lockAccountsOf: [['org_1']],
  lockPerson: [['per_1']],
  lockMembership: [['per_1']],
};

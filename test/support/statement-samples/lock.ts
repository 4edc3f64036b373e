import type * as lock from '../../../prisma/queries/lock.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof lock> = {
  lockMerchant: [['org_1']],
  lockMerchantAccount: [['mer_1']],
  lockOwnKey: [['key_1']],
  lockApiKey: [['key_1', ACCOUNT]],
  lockCustomer: [['cus_1', ACCOUNT]],
  lockSavedMethod: [['spm_1', ACCOUNT]],
  lockProviderAccount: [[`simulator_${'0'.repeat(32)}`, ACCOUNT]],
  lockPaymentLink: [['plink_1']],
  lockIntent: [['pi_1']],
  lockDepositCursor: [['evm']],
  lockWebhookCursor: [[]],
  lockStatisticsCursor: [[]],
  lockAccountsOf: [['org_1']],
  lockPerson: [['per_1']],
  lockMembership: [['per_1']],
};

import type * as savedPaymentMethod from '../../../prisma/queries/saved-payment-method.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const ID = 'spm_1';
const ANSWERED = {
  savedPaymentMethodId: ID,
  provider: 'alpha',
  attemptId: 'att_1',
  status: 'active',
  sealed: { keyId: 'key_1', ciphertext: new Uint8Array([1]) },
  hasNetworkTransactionId: true,
} as const;

type Fragments = 'upsertSavedMethod' | 'insertPendingCredential' | 'credentialsWith' | 'detaching';

/** Parts of statements are run with the statements of other subjects. */
export const samples: Omit<SamplesOf<typeof savedPaymentMethod>, Fragments> = {
  selectSavedMethod: [[ID, ACCOUNT]],
  selectSavedToUse: [[ID, ACCOUNT, 'cus_1', false]],
  selectSavedOfPayment: [['pi_1', ACCOUNT]],
  selectSavedOfCustomer: [['cus_1', ACCOUNT]],
  countOtherSavedMethods: [['cus_1', ACCOUNT, ['key_1:1']]],
  updateSavedMethod: [
    [ID, ACCOUNT, {}],
    [
      ID,
      ACCOUNT,
      {
        isDefault: true,
        metadata: { a: 'b' },
        expiry: { month: 1, year: 2_030, at: new Date('2030-02-01T00:00:00Z') },
      },
    ],
  ],
  detachSavedMethod: [[ID, ACCOUNT]],
  detachOldSavedMethods: [
    ['unused', { days: 730, limit: 500 }],
    ['card_expired', { days: 90, limit: 500 }],
  ],
  claimDueSavedMethods: [[100]],
  storeCredential: [
    [ANSWERED],
    [{ ...ANSWERED, status: 'disabled', sealed: null }],
    [{ ...ANSWERED, expiry: { month: 1, year: 2_030, at: new Date('2030-02-01T00:00:00Z') } }],
  ],
  askAboutCredentials: [
    [{ provider: 'alpha', of: { attemptId: 'att_1' } }],
    [{ provider: 'alpha', of: { providerCustomerId: 'cus_at_provider' } }],
  ],
  endDueSavedMethod: [[ID]],
  invalidateWithoutCredential: [[ID]],
  selectSavingAttempts: [[ID, 'alpha']],
};

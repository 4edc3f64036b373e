import type * as paymentMethod from '../../../prisma/queries/payment-method.ts';
import type { SamplesOf } from './samples-of.ts';

const SEALED = { keyId: 'key_1', ciphertext: new Uint8Array([1]) };
const METHOD = {
  id: 'pm_1',
  merchantAccountId: 'mer_1',
  environment: 'sandbox',
  paymentIntentId: 'pi_1',
  masked: { type: 'upi', vpa: 's*****s@upi' },
  ...SEALED,
  tokenProvider: null,
  cvc: null,
  digests: null,
} as const;
const REFERENCE = { id: 'pm_1', paymentIntentId: 'pi_1' };

export const samples: SamplesOf<typeof paymentMethod> = {
  insertMethod: [
    [METHOD, null],
    [{ ...METHOD, id: 'pm_2', cvc: SEALED, digests: { card: 'd1', bin: 'd2' } }, 50],
  ],
  selectMaskedMethod: [[REFERENCE]],
  selectMethod: [[REFERENCE]],
  selectCardDigests: [['pm_1']],
  insertCvcAgain: [[{ ...REFERENCE, merchantAccountId: 'mer_1', masked: METHOD.masked }, SEALED]],
};

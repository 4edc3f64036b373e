import type * as paymentMethod from '../../../prisma/queries/payment-method.ts';
import type { SamplesOf } from './samples-of.ts';

const SEALED = { keyId: 'key_1', ciphertext: new Uint8Array([1]), cvcCiphertext: null };
const METHOD = {
  id: 'pm_1',
  merchantAccountId: 'mer_1',
  environment: 'sandbox',
  paymentIntentId: 'pi_1',
  masked: { type: 'upi', vpa: 's*****s@upi' },
  ...SEALED,
} as const;

export const samples: SamplesOf<typeof paymentMethod> = {
  insertMethod: [[METHOD]],
  selectMethod: [['pm_1']],
  selectMethodWithoutCvc: [['pm_1']],
  updateMethodWithoutCvc: [['pm_1', SEALED]],
};

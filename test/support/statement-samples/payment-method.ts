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

const USE = {
  ...REFERENCE,
  merchantAccountId: 'mer_1',
  environment: 'sandbox',
  savedPaymentMethodId: 'spm_1',
  customerId: 'cus_1',
  use: 'recurring',
  digests: { card: 'd1', bin: null },
} as const;

const SAVE = {
  customerId: 'cus_1',
  agreed: {
    usage: 'off_session',
    consent: { acceptedAt: '2026-01-02T03:04:05.678Z', ipAddress: null, userAgent: null, text: null },
  },
  fingerprints: ['key_1:1', 'key_2:2'],
  sealed: SEALED,
  cardExpiresAt: new Date('2030-01-01T00:00:00Z'),
} as const;

export const samples: SamplesOf<typeof paymentMethod> = {
  insertMethod: [
    [METHOD, null],
    [{ ...METHOD, id: 'pm_3', save: SAVE }, 50],
    [{ ...METHOD, id: 'pm_4', save: { ...SAVE, agreed: null, sealed: null } }, 50],
    [{ ...METHOD, id: 'pm_2', cvc: SEALED, digests: { card: 'd1', bin: 'd2' } }, 50],
  ],
  updateCardGroups: [[REFERENCE, ['crdg_1']]],
  insertReference: [
    [{ ...USE, id: 'pm_5', cvc: null }, 50],
    [{ ...USE, id: 'pm_6', cvc: SEALED }, null],
  ],
  selectSavedToCharge: [[REFERENCE, 'alpha']],
  selectMaskedMethod: [[REFERENCE]],
  selectMethod: [[REFERENCE]],
  agreeToSave: [
    [REFERENCE, 'cus_1', SAVE.agreed],
    [REFERENCE, 'cus_1', null],
  ],
  selectCardDigests: [['pm_1']],
  insertCvcAgain: [[{ ...REFERENCE, merchantAccountId: 'mer_1', masked: METHOD.masked }, SEALED]],
};

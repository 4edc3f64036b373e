import type * as sealed from '../../../prisma/queries/sealed.ts';
import type { SamplesOf } from './samples-of.ts';

const ONE = { after: [''], limit: 10 };
const TWO = { after: ['', ''], limit: 10 };
const THREE = { after: ['', '', ''], limit: 10 };
const VALUE = { keyId: 'k1', ciphertext: new Uint8Array([1]) };
const MOVED = [{ id: ['a', 'b', 'c'], from: VALUE, to: VALUE }];

export const samples: SamplesOf<typeof sealed> = {
  selectSealed: [
    ['payment_methods', ONE, 'k2'],
    ['security_codes', ONE, 'k2'],
    ['stored_responses', THREE, 'k2'],
    ['webhook_secrets', ONE, 'k2'],
    ['previous_webhook_secrets', TWO, 'k2'],
    ['provider_credentials', ONE, 'k2'],
    ['previous_provider_credentials', TWO, 'k2'],
  ],
  updateSealed: [
    ['payment_methods', MOVED],
    ['security_codes', MOVED],
    ['stored_responses', MOVED],
    ['webhook_secrets', MOVED],
    ['previous_webhook_secrets', MOVED],
    ['provider_credentials', MOVED],
    ['previous_provider_credentials', MOVED],
  ],
  selectFingerprintKeys: [[THREE]],
  selectClientSecretHashes: [[ONE]],
  selectCustomerReturnKeys: [[ONE]],
};

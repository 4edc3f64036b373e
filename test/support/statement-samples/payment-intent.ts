import type * as paymentIntent from '../../../prisma/queries/payment-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const ACCOUNT = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;
const AT = new Date('2026-01-02T03:04:05.678Z');
const INTENT = {
  ...ACCOUNT,
  id: 'pi_1',
  terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
  description: null,
  customerId: null,
  paymentMethodId: null,
  returnUrl: null,
  metadata: {},
  clientSecretHash: 'hash',
  attemptBudget: 5,
  createdAt: AT,
  expiresAt: AT,
  checkAt: AT,
  summary: 'Created',
} as const;
const UPDATE = { ...ACCOUNT, id: 'piu_1', paymentIntentId: 'pi_1', changes: {}, customerId: null };

export const samples: SamplesOf<typeof paymentIntent> = {
  selectIntent: [['pi_1', ACCOUNT]],
  // An intent without a customer would be inserted, and there is no such account.
  insertIntent: [[{ ...INTENT, customerId: 'cus_1' }]],
  insertIntentUpdate: [[UPDATE], [{ ...UPDATE, customerId: 'cus_1' }]],
  selectTimeline: [['pi_1', ACCOUNT, 1_000]],
};

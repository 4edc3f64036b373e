import type * as paymentLink from '../../../prisma/queries/payment-link.ts';
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

export const samples: SamplesOf<typeof paymentLink> = {
  selectPaymentLink: [['plink_1', ACCOUNT]],
  selectLinkOfToken: [['hash']],
  selectPaymentOfLink: [['plink_1', 'pi_1']],
  selectUnconfirmedPayment: [['plink_1']],
  openPaymentOfLink: [['plink_1', INTENT]],
};

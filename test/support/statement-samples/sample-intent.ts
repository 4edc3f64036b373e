/** The account of the samples: there is no such one in the database. */
export const ACCOUNT = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;
const AT = new Date('2026-01-02T03:04:05.678Z');
/** An intent as it is inserted. */
export const INTENT = {
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

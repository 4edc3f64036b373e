import type * as routing from '../../../prisma/queries/routing.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof routing> = {
  selectRoutingFacts: [
    [
      {
        merchantAccountId: 'mer_1',
        environment: 'sandbox',
        method: 'card',
        currency: 'USD',
        country: 'DE',
        paymentIntentId: 'pi_1',
        paymentMethodId: 'pm_1',
      },
    ],
  ],
  selectRoutedAccounts: [[{ merchantId: 'org_1', merchantAccountId: 'mer_1', environment: 'sandbox' }]],
  selectAttemptedPayments: [
    [
      {
        merchantAccountId: 'mer_1',
        environment: 'sandbox',
        from: new Date('2026-11-21T00:00:00Z'),
        before: { createdAt: new Date('2026-11-28T00:00:00Z'), id: 'pi_1' },
        limit: 200,
      },
    ],
  ],
};

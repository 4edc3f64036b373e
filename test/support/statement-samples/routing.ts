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
};

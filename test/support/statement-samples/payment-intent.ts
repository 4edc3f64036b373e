import type * as paymentIntent from '../../../prisma/queries/payment-intent.ts';
import { ACCOUNT, INTENT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const UPDATE = { ...ACCOUNT, id: 'piu_1', paymentIntentId: 'pi_1', changes: {}, customerId: null };

export const samples: SamplesOf<typeof paymentIntent> = {
  selectIntent: [['pi_1', ACCOUNT]],
  // An intent without a customer would be inserted, and there is no such account.
  insertIntent: [[{ ...INTENT, customerId: 'cus_1' }]],
  insertIntentUpdate: [[UPDATE], [{ ...UPDATE, customerId: 'cus_1' }]],
  selectTimeline: [['pi_1', ACCOUNT, 1_000]],
};

import type * as paymentLink from '../../../prisma/queries/payment-link.ts';
import { ACCOUNT, INTENT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof paymentLink> = {
  selectPaymentLink: [['plink_1', ACCOUNT]],
  selectLinkOfToken: [['hash']],
  selectPaymentOfLink: [['plink_1', 'pi_1']],
  selectIdlePlace: [['plink_1']],
  selectIdleOpening: [['plink_1']],
  takePlaceOfLink: [['plink_1', 'pi_1', '192.0.2.1']],
  selectLinkOfPayment: [['pi_1']],
  recountPaymentOfLink: [['pi_1']],
  openPaymentOfLink: [
    ['plink_1', INTENT],
    ['plink_1', { ...INTENT, customerId: 'cus_1', setupFutureUsage: 'off_session', allowSavedPaymentMethods: true }],
  ],
};

import type * as strayCharge from '../../../prisma/queries/stray-charge.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof strayCharge> = {
  insertStrayCharge: [[{ attemptId: 'att_1', paymentIntentId: 'pi_1' }]],
};

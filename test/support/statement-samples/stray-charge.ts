import { Prisma } from '../../../prisma/generated/client.ts';
import type * as strayCharge from '../../../prisma/queries/stray-charge.ts';
import type { SamplesOf } from './samples-of.ts';

const CHARGE = { attemptId: 'att_1', paymentIntentId: 'pi_1' };

export const samples: SamplesOf<typeof strayCharge> = {
  insertStrayCharge: [[CHARGE, Prisma.sql`AND true`]],
  noteStrayCharge: [[CHARGE]],
  keepFromPurge: [[Prisma.sql`(VALUES ('pi_1')) AS charged(payment_intent_id)`]],
};

import type * as due from '../../../prisma/queries/due.ts';
import type { SamplesOf } from './samples-of.ts';

const CLAIMS = [{ dueKey: 'pi_1', dueAt: new Date(0), isQuiet: false }];

export const samples: SamplesOf<typeof due> = {
  claimDuePayments: [
    [10, 'oldest'],
    [10, 'by_account'],
  ],
  claimDueRefunds: [
    [10, 'oldest'],
    [10, 'by_account'],
  ],
  claimDueDisputes: [
    [10, 'oldest'],
    [10, 'by_account'],
  ],
  claimDueStrayCharges: [
    [10, 'oldest'],
    [10, 'by_account'],
  ],
  makeDue: [
    ['payment_intent', ['pi_1']],
    ['refund', ['re_1']],
    ['dispute', ['dp_1']],
    ['stray_charge', ['att_1']],
  ],
  clearDue: [
    ['payment_intent', CLAIMS],
    ['refund', CLAIMS],
    ['stray_charge', []],
  ],
};

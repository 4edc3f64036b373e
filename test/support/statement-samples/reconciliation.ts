import type * as reconciliation from '../../../prisma/queries/reconciliation.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const WINDOW = { from: new Date(0), to: new Date(1) };

export const samples: SamplesOf<typeof reconciliation> = {
  selectRecordedAttempts: [[['att_1']]],
  selectAttemptsToAsk: [[{ runId: 'rec_1', provider: 'alpha', window: WINDOW, limit: 10 }]],
  selectAttemptsAtProvider: [[{ provider: 'alpha', attemptIds: ['att_1'], providerPaymentIds: ['pi_1'] }]],
  selectPaidAttempts: [
    [{ provider: 'alpha', window: WINDOW, after: null, limit: 10 }],
    [{ provider: 'alpha', window: WINDOW, after: { time: WINDOW.from, attemptId: 'att_1' }, limit: 10 }],
  ],
  selectUnmatchedCharges: [[{ runId: 'rec_1', provider: 'alpha', window: WINDOW, besides: ['att_1'], limit: 10 }]],
  writeComparedPage: [
    [
      {
        runId: 'rec_1',
        page: 0,
        nextCursor: null,
        compared: 1,
        attemptIds: ['att_1'],
        accounts: [{ ...ACCOUNT, compared: 1, repaired: 0, reported: 1 }],
        differences: [],
        reports: [],
      },
    ],
  ],
  selectAccountRun: [['rec_1', ACCOUNT]],
  selectDifferences: [['rec_1', ACCOUNT]],
};

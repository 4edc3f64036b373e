import type * as reconciliation from '../../../prisma/queries/reconciliation.ts';
import type { SamplesOf } from './samples-of.ts';

const WINDOW = { from: new Date(0), to: new Date(1) };
const SCOPE = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof reconciliation> = {
  selectRecordedAttempts: [[['att_1']]],
  selectAttemptsToAsk: [[{ runId: 'rec_1', provider: 'alpha', window: WINDOW, limit: 10 }]],
  selectUnmatchedCharges: [[{ runId: 'rec_1', provider: 'alpha', window: WINDOW, besides: ['att_1'], limit: 10 }]],
  writeComparedPage: [
    [
      {
        runId: 'rec_1',
        page: 0,
        nextCursor: null,
        compared: 1,
        attemptIds: ['att_1'],
        accounts: [{ ...SCOPE, compared: 1, repaired: 0, reported: 1 }],
        differences: [],
        reports: [],
      },
    ],
  ],
  selectAccountRun: [['rec_1', SCOPE]],
  selectDifferences: [['rec_1', SCOPE]],
};

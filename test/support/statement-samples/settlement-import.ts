import type * as settlementImport from '../../../prisma/queries/settlement-import.ts';
import { reportedEntry, reportedSettlement } from '../settlements.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const EVENTS = { created: 'evt_1', paid: 'evt_2', failed: 'evt_3' };

export const samples: SamplesOf<typeof settlementImport> = {
  selectSettledTransactions: [
    ['alpha', { attemptIds: ['att_1'], refundIds: ['re_1'], disputeIds: ['dp_1'], providerPaymentIds: ['sim_1'] }],
  ],
  writeSettlementPage: [
    [
      {
        importId: 'imp_1',
        page: 0,
        isFirstOfSettlement: true,
        nextCursor: null,
        provider: 'alpha',
        source: 'api',
        settlement: reportedSettlement(),
        lines: 1,
        isShared: false,
        settlements: [{ id: 'stl_1', account: ACCOUNT }],
        entries: [
          {
            id: 'ste_1',
            eventId: 'evt_1',
            account: ACCOUNT,
            entry: reportedEntry(),
            transaction: null,
            match: 'unknown',
            details: { ours: null, theirs: { amount: 1_000, currency: 'USD' } },
          },
        ],
      },
    ],
  ],
  selectSettlementIds: [['alpha', 'batch_1']],
  closeUnseenEntries: [['stl_1', 'imp_1']],
  selectSettlementsToRecount: [['imp_1']],
  recountSettlement: [
    ['stl_1', reportedSettlement(), EVENTS],
    ['stl_1', null, EVENTS],
  ],
  selectExpectingAccounts: [['alpha', '', 20]],
  expectTransactions: [['alpha', ACCOUNT, ['ste_1', 'ste_2']]],
  expectAgain: [['imp_1', ['ste_1']]],
  markMissing: [['alpha', ACCOUNT, ['evt_1']]],
};

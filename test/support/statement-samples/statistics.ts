import type * as statistics from '../../../prisma/queries/statistics.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')];

export const samples: SamplesOf<typeof statistics> = {
  selectUncounted: [[]],
  insertCounted: [[500]],
  selectStatistics: [[{ ...ACCOUNT, currency: 'USD', period: 'hour', from, to }]],
  selectStatisticCurrencies: [[ACCOUNT]],
  selectDisputeStatistics: [[ACCOUNT, { from, to: new Date('2026-07-01T00:00:00Z') }]],
  selectNewestCurrency: [[ACCOUNT]],
  selectStatisticsTime: [[]],
};

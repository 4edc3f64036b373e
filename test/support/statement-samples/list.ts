import { NEWEST_FIRST } from '../../../prisma/queries/list.ts';
import type * as list from '../../../prisma/queries/list.ts';
import { STORED_REFUND } from '../../../prisma/queries/refund.ts';
import { ofAccount } from '../../../prisma/conditions.ts';
import type { SamplesOf } from './samples-of.ts';

const REFUNDS = {
  table: 'refund',
  conditions: [ofAccount({ merchantAccountId: 'mer_1' })],
  order: NEWEST_FIRST,
};

export const samples: SamplesOf<typeof list> = {
  selectPage: [[REFUNDS, STORED_REFUND, { limit: 10, offset: 0 }]],
  countRows: [[REFUNDS, 100]],
  explainRows: [[REFUNDS]],
};

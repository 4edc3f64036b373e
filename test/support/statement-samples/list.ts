import { STORED_AUDIT_EVENT } from '../../../prisma/queries/audit-event.ts';
import { STORED_API_KEY } from '../../../prisma/queries/credentials.ts';
import { STORED_CUSTOMER } from '../../../prisma/queries/customer.ts';
import { NEWEST_FIRST } from '../../../prisma/queries/list.ts';
import type * as list from '../../../prisma/queries/list.ts';
import { STORED_REFUND } from '../../../prisma/queries/refund.ts';
import { ofAccount } from '../../../prisma/conditions.ts';
import type { SamplesOf } from './samples-of.ts';

const listOf = (table: string) => ({
  table,
  conditions: [ofAccount({ merchantAccountId: 'mer_1' })],
  order: NEWEST_FIRST,
});
const REFUNDS = listOf('refund');
const PAGE = { limit: 10, offset: 0 };

export const samples: SamplesOf<typeof list> = {
  selectPage: [
    [REFUNDS, STORED_REFUND, PAGE],
    [listOf('customer'), STORED_CUSTOMER, PAGE],
    [listOf('api_key'), STORED_API_KEY, PAGE],
    [listOf('audit_event'), STORED_AUDIT_EVENT, PAGE],
  ],
  countRows: [[REFUNDS, 100]],
  explainRows: [[REFUNDS]],
};

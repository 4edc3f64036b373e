import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import {
  createdBetween,
  NEWEST_FIRST,
  ofAccount,
  type AccountScope,
  readPage,
  type ReadPage,
  withValues,
} from '../lists.ts';
import { storableId } from '../row-scope.ts';
import type { ListRefunds } from '../../schemas/refund.ts';
import type { RefundRow } from '../../../presenters/refund.ts';

/** A refund as it is read for a response. */
export interface StoredRefund {
  readonly refund: RefundRow;
}

const COLUMNS = Prisma.sql`to_jsonb(r) AS refund`;

/** One refund of the account, or undefined when the account has none of that id. */
export async function findRefund(database: Database, owner: AccountScope, id: string): Promise<RefundRow | undefined> {
  const [stored] = await database.direct.query<StoredRefund[]>`
    SELECT ${COLUMNS} FROM refund r
    WHERE id = ${storableId('refund', id)} AND ${ofAccount(owner)} AND environment = ${owner.environment}`;
  return stored?.refund;
}

/** One refund of the account. @throws ApiError `REFUND_NOT_FOUND` */
export async function readRefund(database: Database, owner: AccountScope, id: string): Promise<RefundRow> {
  const refund = await findRefund(database, owner, id);
  if (refund === undefined) throw new ApiError('REFUND_NOT_FOUND');
  return refund;
}

/** One page of the account's refunds, newest first, and how many there are in all. */
export function listRefunds(
  database: Database,
  owner: AccountScope,
  { page, limit, paymentIntentId, status, createdAfter, createdBefore }: ListRefunds,
): Promise<ReadPage<StoredRefund>> {
  const conditions = [
    ofAccount(owner),
    ...withValues({ payment_intent_id: paymentIntentId, status }),
    ...createdBetween({ createdAfter, createdBefore }),
  ];
  return readPage(database, { table: 'refund', conditions, order: NEWEST_FIRST }, COLUMNS, { page, limit });
}

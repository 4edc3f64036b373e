import type { Database } from '../../../prisma/connection/client.ts';
import {
  accountRefunds,
  type RefundRow,
  selectRefund,
  STORED_REFUND,
  type StoredRefund,
} from '../../../prisma/queries/refund.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import type { ListRefunds } from '../../../contract/schemas/refund.ts';

/** One refund of the account, or undefined when the account has none of that id. */
export async function findRefund(database: Database, scope: AccountScope, id: string): Promise<RefundRow | undefined> {
  const stored = await database.direct.row(selectRefund(requireId('refund', id), scope));
  return stored?.refund;
}

/** One refund of the account. @throws ApiError `REFUND_NOT_FOUND` */
export async function readRefund(database: Database, scope: AccountScope, id: string): Promise<RefundRow> {
  const refund = await findRefund(database, scope, id);
  if (refund === undefined) throw new ApiError('REFUND_NOT_FOUND');
  return refund;
}

/** One page of the account's refunds, newest first, and how many there are in all. */
export function listRefunds(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListRefunds,
): Promise<ReadPage<StoredRefund>> {
  return readPage(database, accountRefunds(scope, filter), STORED_REFUND, { page, limit, startingAfter });
}

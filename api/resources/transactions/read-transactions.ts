import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { createdBetween, ofAccount, type Owner, withValues } from '../lists/conditions.ts';
import { NEWEST_FIRST, readPage, type ReadPage } from '../lists/read-page.ts';
import { storableId } from '../path-id.ts';
import type { ListTransactions } from '../../schemas/transaction.ts';
import type { CaptureRefunds, TransactionRow } from '../../../presenters/transaction.ts';

/** A transaction as it is read for a response. */
export interface StoredTransaction {
  readonly transaction: TransactionRow;
  /** Null but for captures. */
  readonly moneyBack: CaptureRefunds | null;
}

/** An intent is captured once, so what it says of refunds is said of its capture. */
const COLUMNS = Prisma.sql`
  to_jsonb(r) AS transaction,
  (SELECT jsonb_build_object('refundedMinor', i.amount_refunded_minor, 'refundableMinor',
      i.amount_captured_minor - i.amount_refunded_minor - i.amount_refunding_minor)
    FROM payment_intent i WHERE i.id = r.payment_intent_id AND r.type = 'capture') AS "moneyBack"`;

/**
 * One transaction of the account.
 * @throws ApiError `TRANSACTION_NOT_FOUND` when the account has none of that id
 */
export async function readTransaction(database: Database, owner: Owner, id: string): Promise<StoredTransaction> {
  const [stored] = await database.direct.query<StoredTransaction[]>`
    SELECT ${COLUMNS} FROM transaction r
    WHERE id = ${storableId('transaction', id)} AND ${ofAccount(owner)} AND environment = ${owner.environment}`;
  if (stored === undefined) throw new ApiError('TRANSACTION_NOT_FOUND');
  return stored;
}

/** One page of the account's transactions, newest first, and how many there are in all. */
export function listTransactions(
  database: Database,
  owner: Owner,
  { page, limit, paymentIntentId, type, createdAfter, createdBefore }: ListTransactions,
): Promise<ReadPage<StoredTransaction>> {
  const conditions = [
    ofAccount(owner),
    ...withValues({ payment_intent_id: paymentIntentId, type }),
    ...createdBetween({ createdAfter, createdBefore }),
  ];
  return readPage(database, { table: 'transaction', conditions, order: NEWEST_FIRST }, COLUMNS, { page, limit });
}

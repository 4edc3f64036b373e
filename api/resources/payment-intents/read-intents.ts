import { Prisma } from '../../../prisma/generated/client.ts';
import { attemptsOf } from '../../../presenters/columns.ts';
import type { Database } from '../../../prisma/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { createdBetween, ofAccount, type Owner, withValues } from '../lists/conditions.ts';
import { NEWEST_FIRST, readPage, type ReadPage } from '../lists/read-page.ts';
import { storableId } from '../path-id.ts';
import type { ListPaymentIntents } from '../../schemas/payment-intent-requests.ts';
import type { StoredIntent } from './stored-intent.ts';

const INTENT_COLUMNS = Prisma.sql`
  to_jsonb(r) - 'client_secret_hash' AS intent, ${attemptsOf('r.id')} AS attempts,
  (SELECT jsonb_build_object('type', m.type, 'masked', m.masked)
    FROM payment_method m WHERE m.id = r.payment_method_id) AS "paymentMethod"`;

/**
 * One intent of the account.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND` when the account has none of that id
 */
export async function readIntent(database: Database, owner: Owner, id: string): Promise<StoredIntent> {
  const [stored] = await database.direct.query<StoredIntent[]>`
    SELECT ${INTENT_COLUMNS} FROM payment_intent r
    WHERE id = ${storableId('paymentIntent', id)} AND ${ofAccount(owner)} AND environment = ${owner.environment}`;
  if (stored === undefined) throw new ApiError('PAYMENT_INTENT_NOT_FOUND');
  return stored;
}

/** One page of the account's intents, newest first, and how many there are in all. */
export function listIntents(
  database: Database,
  owner: Owner,
  { page, limit, status, customerId, currency, createdAfter, createdBefore }: ListPaymentIntents,
): Promise<ReadPage<StoredIntent>> {
  const conditions = [
    ofAccount(owner),
    ...withValues({ status, customer_id: customerId, currency }),
    ...createdBetween({ createdAfter, createdBefore }),
  ];
  const listed = { table: 'payment_intent', conditions, order: NEWEST_FIRST };
  return readPage(database, listed, INTENT_COLUMNS, { page, limit });
}

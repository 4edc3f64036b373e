import { Prisma } from '../../prisma/generated/client.ts';
import type { Database } from '../../prisma/client.ts';
import { ApiError } from '../errors.ts';
import type { Access } from '../request-context.ts';
import type { ListPaymentIntents } from '../schemas/payment-intent-requests.ts';
import type { StoredIntent } from './stored-intent.ts';

/** Rows of one account in one environment; nothing else is ever visible to a key. */
type Owner = Pick<Access, 'merchantAccountId' | 'environment'>;

const INTENT_COLUMNS = Prisma.sql`
  to_jsonb(i) - 'client_secret_hash' AS intent,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object(
      'id', a.id, 'number', a.number, 'routeId', a.route_id, 'provider', a.provider, 'paymentMethodId', a.payment_method_id,
      'amountMinor', a.amount_minor, 'currency', a.currency, 'tries', a.tries, 'outcome', a.outcome, 'code', a.code,
      'providerPaymentId', a.provider_payment_id, 'startedAt', a.started_at, 'finishedAt', a.finished_at
    ) ORDER BY a.number), '[]') FROM payment_attempt a WHERE a.payment_intent_id = i.id) AS attempts,
  (SELECT jsonb_build_object('type', m.type, 'masked', m.masked)
    FROM payment_method m WHERE m.id = i.payment_method_id) AS "paymentMethod"`;

/**
 * One intent of the account.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND` when the account has none of that id
 */
export async function readIntent(database: Database, owner: Owner, id: string): Promise<StoredIntent> {
  const [stored] = await database.$queryRaw<StoredIntent[]>`
    SELECT ${INTENT_COLUMNS} FROM payment_intent i WHERE i.id = ${storableId(id)} AND ${ownedBy(owner)}`;
  if (stored === undefined) throw new ApiError('PAYMENT_INTENT_NOT_FOUND');
  return stored;
}

/** One page of the account's intents, newest first, and how many there are in all. */
export async function listIntents(
  database: Database,
  owner: Owner,
  filter: ListPaymentIntents,
): Promise<{ readonly intents: readonly StoredIntent[]; readonly total: number }> {
  const condition = Prisma.join([ownedBy(owner), ...conditionsOf(filter)], ' AND ');
  const [intents, counted] = await Promise.all([
    database.$queryRaw<StoredIntent[]>`
      SELECT ${INTENT_COLUMNS} FROM payment_intent i WHERE ${condition}
      ORDER BY i.created_at DESC, i.id DESC
      LIMIT ${filter.limit} OFFSET ${(filter.page - 1) * filter.limit}`,
    database.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM payment_intent i WHERE ${condition}`,
  ]);
  return { intents, total: counted[0]?.total ?? 0 };
}

function ownedBy({ merchantAccountId, environment }: Owner): Prisma.Sql {
  return Prisma.sql`i.merchant_account_id = ${merchantAccountId} AND i.environment = ${environment}`;
}

function conditionsOf({ status, customerId, currency, createdAfter, createdBefore }: ListPaymentIntents): Prisma.Sql[] {
  return [
    ...(status === undefined ? [] : [Prisma.sql`i.status = ${status}`]),
    ...(customerId === undefined ? [] : [Prisma.sql`i.customer_id = ${customerId}`]),
    ...(currency === undefined ? [] : [Prisma.sql`i.currency = ${currency}`]),
    ...(createdAfter === undefined ? [] : [Prisma.sql`i.created_at > ${createdAfter.toISOString()}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [Prisma.sql`i.created_at < ${createdBefore.toISOString()}::timestamptz`]),
  ];
}

/** Ids come from paths, which may hold what the database refuses to compare with. */
function storableId(id: string): string {
  return /^pi_[0-9a-f]{32}$/.test(id) ? id : '';
}

import { type AccountScope, testClockOf } from './conditions.ts';
import { Prisma } from '../generated/client.ts';

/**
 * The end of the refund window of the transaction `t` of the account `a` and the payment `i`. A payment follows the account's test
 * clock until it has ended, so the time by which the clock was advanced since then counts as time since its capture.
 */
export function refundWindowEnd(account: AccountScope): Prisma.Sql {
  return Prisma.sql`(t.created_at + make_interval(days => a.refund_window_days)
    - make_interval(secs => ${testClockOf(account)} - i.test_clock_seconds))`;
}

/** Whether the refund window of a transaction of an account has closed, by the database's clock. */
export function refundWindowHasClosed(transactionId: string, account: AccountScope): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM transaction t
      JOIN merchant_account a ON a.id = t.merchant_account_id JOIN payment_intent i ON i.id = t.payment_intent_id
    WHERE t.id = ${transactionId} AND ${refundWindowEnd(account)} < clock_timestamp())`;
}

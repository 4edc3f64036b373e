import type { TransactionType } from '../../../domain/payment.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { AccountScope } from '../lists.ts';
import { storableId } from '../row-scope.ts';
import { readIntent } from '../payment-intents/stored-intent.ts';
import type { CreateRefund } from '../../schemas/refund.ts';

/** The capture that a refund refunds. */
export interface Capture {
  readonly transactionId: string;
  readonly paymentIntentId: string;
  readonly attemptId: string;
  readonly provider: string;
  readonly providerPaymentId: string;
}

interface Candidate extends Capture {
  readonly type: TransactionType;
  readonly refundWindowDays: number;
  /** The end of the refund window. */
  readonly refundableUntil: Date;
  readonly isTooOld: boolean;
}

/**
 * The capture that is meant, by its own id or by that of its intent.
 * @throws ApiError `TRANSACTION_NOT_FOUND`, `PAYMENT_INTENT_NOT_FOUND`, `REFUND_NOT_ALLOWED` where nothing was captured,
 *   `REFUND_WINDOW_CLOSED` where it was too long ago for the account
 */
export async function findCapture(
  database: Database,
  scope: AccountScope,
  { transactionId, paymentIntentId = '' }: CreateRefund,
): Promise<Capture> {
  const capture =
    transactionId === undefined
      ? await captureOfIntent(database, scope, paymentIntentId)
      : await captureById(database, scope, transactionId);
  const { refundWindowDays, refundableUntil, isTooOld } = capture;
  if (!isTooOld) return capture;
  throw new ApiError('REFUND_WINDOW_CLOSED', {
    details: { refundWindowDays, refundableUntil: refundableUntil.toISOString() },
  });
}

async function captureById(database: Database, scope: AccountScope, id: string): Promise<Candidate> {
  const found = await find(database, scope, Prisma.sql`t.id = ${storableId('transaction', id)}`);
  if (found === undefined) throw new ApiError('TRANSACTION_NOT_FOUND');
  if (found.type !== 'capture') throw new ApiError('REFUND_NOT_ALLOWED', { details: { type: found.type } });
  return found;
}

async function captureOfIntent(database: Database, scope: AccountScope, id: string): Promise<Candidate> {
  const ofIntent = Prisma.sql`t.payment_intent_id = ${storableId('paymentIntent', id)} AND t.type = 'capture'`;
  const found = await find(database, scope, ofIntent);
  if (found !== undefined) return found;
  const { intent } = await readIntent(database, scope, id);
  throw new ApiError('REFUND_NOT_ALLOWED', { details: { status: intent.status } });
}

async function find(
  database: Database,
  { merchantAccountId, environment }: AccountScope,
  condition: Prisma.Sql,
): Promise<Candidate | undefined> {
  const [found] = await database.direct.query<Candidate[]>`
    SELECT t.id AS "transactionId", t.payment_intent_id AS "paymentIntentId", t.attempt_id AS "attemptId", t.provider,
      t.provider_payment_id AS "providerPaymentId", t.type, a.refund_window_days AS "refundWindowDays",
      t.created_at + make_interval(days => a.refund_window_days) AS "refundableUntil",
      t.created_at + make_interval(days => a.refund_window_days) < now() AS "isTooOld"
    FROM transaction t JOIN merchant_account a ON a.id = t.merchant_account_id
    WHERE ${condition} AND t.merchant_account_id = ${merchantAccountId} AND t.environment = ${environment}
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;
  return found;
}

import { kindOfProviderAccount } from '../../../domain/provider-account.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { RefundReservation } from '../../../prisma/queries/refund-reservation.ts';
import { selectCapture, selectRefundable } from '../../../prisma/queries/transaction.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import { readIntent } from '../payment-intents/stored-intent.ts';
import type { CreateRefund } from '../../../contract/schemas/refund.ts';

type Candidate = RowOf<ReturnType<typeof selectCapture>>;

/**
 * The capture that is meant, by its own id or by that of its intent.
 * @throws ApiError `TRANSACTION_NOT_FOUND`, `PAYMENT_INTENT_NOT_FOUND`, `REFUND_NOT_ALLOWED` where nothing was captured or arrived, all
 *   that is left is disputed, or the account at the provider is gone, `REFUND_WINDOW_CLOSED` where it was too long ago for the account
 */
export async function findCapture(
  database: Database,
  scope: AccountScope,
  { transactionId, paymentIntentId = '' }: CreateRefund,
): Promise<RefundableCapture> {
  const capture =
    transactionId === undefined
      ? await captureOfIntent(database, scope, paymentIntentId)
      : await captureById(database, scope, transactionId);
  requireArrived(capture);
  requireUndisputed(capture);
  await requireProvider(database, capture);
  if (!capture.isTooOld) return capture;
  throw refundWindowClosed(capture);
}

/** What is refunded, and until when it can be. */
export type RefundableCapture = RefundReservation['capture'] &
  Pick<Candidate, 'refundWindowDays' | 'refundableUntil' | 'disputedMinor'>;

export function refundWindowClosed({
  refundWindowDays,
  refundableUntil,
}: Pick<RefundableCapture, 'refundWindowDays' | 'refundableUntil'>): ApiError {
  return new ApiError('REFUND_WINDOW_CLOSED', {
    message:
      `Expected a refund by ${refundableUntil.toISOString()}, ${refundWindowDays} days after the capture; that time is over. ` +
      'Return the money in another way, or extend refundWindowDays of the merchant account.',
    details: { refundWindowDays, refundableUntil: refundableUntil.toISOString() },
  });
}

/** @throws ApiError `REFUND_NOT_ALLOWED` where the provider has reported that the capture has failed after all */
function requireArrived({ capturedMinor }: Candidate): void {
  if (capturedMinor > 0) return;
  throw new ApiError('REFUND_NOT_ALLOWED', {
    message:
      'Expected a payment intent whose captured money has arrived; the provider reports that the capture of this one has failed after ' +
      'all, so there is nothing to return. lastError of the payment intent says why.',
    details: { reason: 'capture_reversed' },
  });
}

/** @throws ApiError `REFUND_NOT_ALLOWED` where all that is left is disputed */
function requireUndisputed({ leftMinor, disputedMinor, disputeIds }: Candidate): void {
  if (disputedMinor === 0 || leftMinor > disputedMinor) return;
  throw new ApiError('REFUND_NOT_ALLOWED', {
    message:
      'Expected a payment intent with money that is not disputed; all that is left of this one is. A chargeback returns the money, so that ' +
      'a refund would return it twice. Read the disputes (GET /api/v1/disputes): what they give back can be refunded again.',
    details: { reason: 'disputed', disputeId: disputeIds.at(-1) ?? null },
  });
}

/** @throws ApiError `REFUND_NOT_ALLOWED` where the account at the provider was deleted, so that nobody can be asked */
async function requireProvider({ providerAccount }: Database, { provider }: Candidate): Promise<void> {
  if (kindOfProviderAccount(provider) === undefined) return;
  if ((await providerAccount.count({ where: { id: provider } })) > 0) return;
  throw new ApiError('REFUND_NOT_ALLOWED', {
    message: `The account at the provider which captured the money, ${provider}, was deleted. Return the money in the provider's dashboard.`,
    details: { provider },
  });
}

async function captureById(database: Database, scope: AccountScope, id: string): Promise<Candidate> {
  const found = await database.direct.row(selectRefundable(requireId('transaction', id), scope));
  if (found === undefined) throw new ApiError('TRANSACTION_NOT_FOUND');
  if (found.type !== 'capture') {
    const message = `Expected a transaction of the type capture; got one of the type ${found.type}. Send paymentIntentId, or the capture's id.`;
    throw new ApiError('REFUND_NOT_ALLOWED', { message, details: { type: found.type } });
  }
  return found;
}

async function captureOfIntent(database: Database, scope: AccountScope, id: string): Promise<Candidate> {
  const found = await database.direct.row(selectCapture(requireId('paymentIntent', id), scope));
  if (found !== undefined) return found;
  const { intent } = await readIntent(database, scope, id);
  throw new ApiError('REFUND_NOT_ALLOWED', {
    message: `Expected a payment intent whose money was captured; this one is ${intent.status} and has no capture. Cancel it, if it is still open.`,
    details: { status: intent.status },
  });
}

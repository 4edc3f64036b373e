import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { comparedPageOf } from '../../activities/compare-reconciliation-page.ts';
import { createReconciliationRun } from '../../activities/create-reconciliation-run.ts';
import { reconciliationRunIdOf } from '../../domain/ids.ts';
import type { UnknownRefundEvent } from '../../domain/provider-outcome.ts';
import { compareRefund } from '../../domain/reconciliation.ts';
import type { Database } from '../../prisma/client.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import { selectRecordedAttempts, writeComparedPage } from '../../prisma/queries/reconciliation.ts';
import type { SignalResult } from '../../workflows/client/temporal-errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a provider reports a refund which the engine has not requested. */
const UNKNOWN_REFUND = 'UNKNOWN_REFUND';

/**
 * Reports a refund that the engine has not requested, as a difference of a reconciliation run of this one payment, because the
 * provider that reports it cannot list its payments. The run's id is derived from the event, so that a repeat writes nothing.
 */
export async function reportUnknownRefund(
  { database, logger }: Dependencies,
  { receivedAt }: UndeliveredEvent,
  event: UnknownRefundEvent,
): Promise<SignalResult> {
  const { provider, unknownRefund } = event;
  const { attemptId, ...refund } = unknownRefund;
  const attempt = await database.direct.row(selectRecordedAttempts([attemptId]));
  if (attempt?.provider !== provider) return 'finished';
  const { providerPaymentId, paymentIntentId } = attempt;
  const differences =
    providerPaymentId === null
      ? []
      : compareRefund({ ...refund, refundId: null }, { providerPaymentId }, attempt, receivedAt);
  if (differences.length === 0) return 'finished';
  const run = await createReconciliationRun(database, runOf(event, receivedAt));
  const page = comparedPageOf(run, { compared: [attempt], differences, attemptIds: [], nextCursor: null });
  if ((await database.direct.row(writeComparedPage(page))) === undefined) return 'delivered';
  const { amountMinor, currency } = refund;
  const fields = { alert: UNKNOWN_REFUND, provider, paymentIntentId, attemptId, amountMinor, currency };
  logger.error(fields, 'a provider reports a refund that the engine has not requested');
  return 'delivered';
}

/** A run with an empty window: it is about one event. */
function runOf({ provider, eventId }: UnknownRefundEvent, receivedAt: Date) {
  const id = reconciliationRunIdOf(createHash('sha256').update(`${provider} ${eventId}`).digest('hex').slice(0, 32));
  return { id, provider, windowFrom: receivedAt, windowTo: receivedAt, isContinuous: false };
}

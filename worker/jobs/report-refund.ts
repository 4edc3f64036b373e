import type { Logger } from 'pino';
import { transactionIdOfRefund } from '../../domain/ids.ts';
import type { RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { mayRepeat } from '../../domain/report-handling.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { failReversal } from '../../domain/stray-charge-resolution.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import { selectSucceededRefund } from '../../prisma/queries/refund.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import type { RefundWorkflows } from '../../workflow-client/refund-workflows.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';
import { refundInputOf } from '../../workflow-client/workflow-inputs.ts';

interface Dependencies {
  readonly database: Database;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent' | 'fail'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a refund was made which is recorded as failed. */
const REFUND_CONTRADICTED = 'REFUND_CONTRADICTED';

/**
 * Delivers an event to the refund's run. Only the refund's row settles a refusal, because a success may be recorded at the same
 * moment: if the refund has succeeded, a run is started for its failure, even after an earlier one was terminated.
 */
export async function deliverRefundEvent(
  dependencies: Dependencies,
  row: UndeliveredEvent,
  event: RefundProviderEvent,
): Promise<SignalResult> {
  const { database, refundWorkflows } = dependencies;
  const { refundId, refundOutcome } = event;
  if (refundOutcome.kind === 'refunded' && (await alertContradiction(dependencies, event))) return 'delivered';
  if (refundOutcome.kind !== 'refused') return refundWorkflows.deliverRefundEvent(refundId, event);
  const refund = await database.direct.row(selectSucceededRefund(refundId));
  if (refund !== undefined) await refundWorkflows.fail(refundInputOf(refund.refund), event);
  else if (mayRepeat(row, new Date())) await refundWorkflows.deliverRefundEvent(refundId, event);
  return 'not_started';
}

/**
 * Alerts operators if a provider reports that it made a refund which is recorded as failed: a second refund would return the money
 * twice. If the refund had succeeded before it failed, the event is the report of that success, and there is no alert.
 * @returns whether the refund is recorded as failed
 */
async function alertContradiction(
  { database, logger }: Dependencies,
  { refundId, provider }: RefundProviderEvent,
): Promise<boolean> {
  const refund = await database.refund.findUnique({ where: { id: refundId, provider, status: 'failed' } });
  if (refund === null) return false;
  const hadSucceeded = await database.transaction.count({ where: { id: transactionIdOfRefund(refundId) } });
  if (hadSucceeded > 0) return true;
  const { paymentIntentId, amountMinor, currency } = refund;
  const fields = {
    alert: REFUND_CONTRADICTED,
    provider,
    paymentIntentId,
    refundId,
    amountMinor: Number(amountMinor),
    currency,
  };
  logger.error(fields, 'a provider reports that it made a refund which is recorded as failed');
  return true;
}

/**
 * Records that the refund of a stray charge, which had succeeded, has failed after all: the row is `failed`, which refuses further
 * confirms, and somebody has to return the money by hand.
 */
export async function noteFailedReversal(
  { database, logger }: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  attemptId: string,
  { provider, eventId, refundOutcome }: RefundProviderEvent,
): Promise<SignalResult> {
  if (refundOutcome.kind !== 'refused') return 'delivered';
  const reversal = await readReversal(database, { attemptId, provider });
  if (reversal === null) return 'finished';
  // The inquiries of the stray charge's workflow read the refusal.
  if (reversal.status === 'pending') return 'not_started';
  const { attempt, money } = reversal;
  if (reversal.status !== 'reversed' || money === null) return 'finished';
  const step = failReversal(attempt, money, refundOutcome.details ?? {});
  const stepId = `reversal failed ${provider} ${eventId}`;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const { amountMinor, currency } = money;
  const fields = { alert: STRAY_CHARGE_ALERT, provider, paymentIntentId, attemptId, amountMinor, currency };
  logger.error(fields, 'the refund of a stray charge has failed after it had succeeded');
  return 'delivered';
}

/** A stray charge as its row has it; null where there is none at the provider. */
async function readReversal(database: Database, where: { readonly attemptId: string; readonly provider: string }) {
  const [stray, attempt] = await Promise.all([
    database.strayCharge.findUnique({ where }),
    database.paymentAttempt.findUnique({ where: { id: where.attemptId } }),
  ]);
  if (stray === null || attempt === null) return null;
  const { status, providerPaymentId, amountMinor, currency } = stray;
  const hasMoney = providerPaymentId !== null && amountMinor !== null && currency !== null;
  return {
    status,
    attempt: { ...where, attemptNumber: attempt.number },
    money: hasMoney ? { providerPaymentId, amountMinor: Number(amountMinor), currency } : null,
  };
}

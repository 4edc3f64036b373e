import { attemptIdOfStrayCharge, transactionIdOfRefund } from '../../domain/ids.ts';
import { isTerminalState } from '../../domain/payment-state.ts';
import { formatMoney } from '../../domain/money.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import {
  type CaptureFailureEvent,
  isCaptureFailure,
  isCaptureRefusal,
  isProviderEvent,
  isRefundEvent,
  isUnknownRefund,
  isVoided,
  type ProviderEvent,
  type RefundProviderEvent,
} from '../../domain/provider-outcome.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { failReversal } from '../../domain/stray-charge-resolution.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { lockIntent } from '../../prisma/queries/lock.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/payment-store.ts';
import {
  markDelivered,
  markEndedRefunds,
  markRepeatedOutcomes,
  selectUndelivered,
  type UndeliveredEvent,
} from '../../prisma/queries/provider-event.ts';
import { selectSucceededRefund } from '../../prisma/queries/refund.ts';
import type { SignalResult } from '../../workflows/client/temporal-errors.ts';
import type { PaymentWorkflows } from '../../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../../workflows/client/refund-workflows.ts';
import { refundInputOf } from '../../workflows/client/workflow-inputs.ts';
import { reportUnknownRefund } from './report-unknown-refund.ts';
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent' | 'fail'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that captured money did not arrive. */
const CAPTURE_FAILED = 'CAPTURE_FAILED';
/** The alert that a refund was made which is recorded as failed. */
const REFUND_CONTRADICTED = 'REFUND_CONTRADICTED';

/** Time the API has for delivering the event itself, and the workflow for recording what it reports. */
const GRACE_MS = 2 * SECOND_MS;
/**
 * The time for which a run gets one report repeatedly; after it, the run learns the outcome by itself. A run that has halted would
 * get it until Temporal ends the run, because its history is too long.
 */
const REPEAT_SIGNALS_FOR_MS = MINUTE_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

/**
 * Delivers provider events that are not marked as delivered, oldest first. A workflow gets the report of a charge a second time if
 * its attempt is still open, because the API does not mark it. Events of unknown intents are skipped until they are purged; events
 * of an intent without a workflow wait until it is started.
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepProviderEvents(
  dependencies: ProviderEventSweeperDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const receivedBefore = new Date(Date.now() - GRACE_MS);
  await database.direct.execute(markRepeatedOutcomes(receivedBefore));
  await database.direct.execute(markEndedRefunds(receivedBefore));
  await sweep<UndeliveredEvent>({
    readPage: (after) => database.direct.rows(selectUndelivered({ receivedBefore, after, limit: PAGE_SIZE })),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const answer = await deliver(dependencies, row);
      if (isSettled(answer, row)) await database.direct.rowsLocked(lockIntent(row.paymentIntentId), markDelivered(row));
    },
    signal,
  });
}

function deliver(dependencies: ProviderEventSweeperDependencies, row: UndeliveredEvent): Promise<SignalResult> {
  const { provider, eventId, paymentIntentId, event } = row;
  if (isCaptureFailure(event)) return noteCaptureFailure(dependencies, row, event);
  // The activity that repeats the capture reads what is stored.
  if (isCaptureRefusal(event)) return Promise.resolve('delivered');
  if (isUnknownRefund(event)) return reportUnknownRefund(dependencies, row, event);
  if (isProviderEvent(event)) {
    const failure = row.isVoidAfterCapture ? captureFailureOf(event) : null;
    if (failure !== null) return noteCaptureFailure(dependencies, row, failure);
    if (row.isVoidOfOpenAttempt && !mayRepeat(row)) return Promise.resolve('not_started');
    return dependencies.workflows.deliverProviderEvent(paymentIntentId, event);
  }
  if (isRefundEvent(event)) {
    const strayAttemptId = attemptIdOfStrayCharge(event.refundId);
    return strayAttemptId === undefined
      ? deliverRefundEvent(dependencies, row, event)
      : noteFailedReversal(dependencies, row, strayAttemptId, event);
  }
  throw new TypeError(`provider event ${provider} ${eventId} has no known form`);
}

function mayRepeat({ receivedAt }: UndeliveredEvent): boolean {
  return Date.now() - receivedAt.getTime() < REPEAT_SIGNALS_FOR_MS;
}

/**
 * Delivers an event to the refund's run. Only the refund's row settles a refusal, because a success may be recorded at the same
 * moment: if the refund has succeeded, a run is started for its failure, even after an earlier one was terminated.
 */
async function deliverRefundEvent(
  dependencies: ProviderEventSweeperDependencies,
  row: UndeliveredEvent,
  event: RefundProviderEvent,
): Promise<SignalResult> {
  const { database, refundWorkflows } = dependencies;
  const { refundId, refundOutcome } = event;
  if (refundOutcome.kind === 'refunded' && (await alertContradiction(dependencies, event))) return 'delivered';
  if (refundOutcome.kind !== 'refused') return refundWorkflows.deliverRefundEvent(refundId, event);
  const refund = await database.direct.row(selectSucceededRefund(refundId));
  if (refund !== undefined) await refundWorkflows.fail(refundInputOf(refund.refund), event);
  else if (mayRepeat(row)) await refundWorkflows.deliverRefundEvent(refundId, event);
  return 'not_started';
}

/**
 * Alerts operators if a provider reports that it made a refund which is recorded as failed: a second refund would return the money
 * twice. If the refund had succeeded before it failed, the event is the report of that success, and there is no alert.
 * @returns whether the refund is recorded as failed
 */
async function alertContradiction(
  { database, logger }: ProviderEventSweeperDependencies,
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
async function noteFailedReversal(
  { database, logger }: ProviderEventSweeperDependencies,
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

/** The failure of a capture that the provider has voided after all; null for other reports. */
function captureFailureOf({ provider, eventId, attemptId, outcome }: ProviderEvent): CaptureFailureEvent | null {
  if (!isVoided(outcome)) return null;
  const { amountMinor, currency } = outcome.voided;
  return { provider, eventId, captureFailure: { attemptId, amountMinor, currency, reason: 'voided' } };
}

/**
 * Records that captured money did not arrive, on a payment that has ended: as its last error, in its timeline and as an event.
 * State and amounts stay as they were reported, because people may arrange with the provider that it captures again.
 */
async function noteCaptureFailure(
  { database, logger }: ProviderEventSweeperDependencies,
  { paymentIntentId, status }: UndeliveredEvent,
  { provider, eventId, captureFailure }: CaptureFailureEvent,
): Promise<SignalResult> {
  if (!isTerminalState(status)) return 'not_started';
  const { attemptId, amountMinor, currency, reason } = captureFailure;
  const charged = { id: attemptId, paymentIntentId, provider, outcome: 'approved' };
  if ((await database.paymentAttempt.count({ where: charged })) === 0) return 'finished';
  const at = new Date().toISOString();
  const money = formatMoney(amountMinor, currency);
  const message = `The provider had captured ${money}, and reports that the capture has failed after all: the money did not arrive.`;
  const error = { code: 'TSP_PAYMENT_FAILED', message, details: { amount: amountMinor, currency, reason } } as const;
  const summary = `${provider}: the capture of ${money} has failed after all; state and amounts were not changed`;
  const step: PaymentStep = {
    columns: { lastError: { ...error, at } },
    timeline: [{ kind: 'provider_event', summary, details: { attemptId, reason } }],
    events: [{ type: 'payment_intent.payment_failed', failure: error }],
  };
  const stepId = `capture failed ${provider} ${eventId}`;
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: CAPTURE_FAILED, provider, paymentIntentId, attemptId, amountMinor, currency, reason };
  logger.error(fields, 'a provider reports that captured money did not arrive');
  return 'delivered';
}

/**
 * An event about an intent that has ended needs no delivery, even if Temporal has deleted the workflow. A void stays undelivered
 * until its attempt or the intent has ended, because the workflow may record a capture at the same time.
 */
function isSettled(answer: SignalResult, { refundId, status, isVoidOfOpenAttempt }: UndeliveredEvent): boolean {
  const hasEnded = refundId === null && isTerminalState(status);
  return hasEnded || (answer !== 'not_started' && !isVoidOfOpenAttempt);
}

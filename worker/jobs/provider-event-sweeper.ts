import { attemptIdOfStrayCharge, transactionIdOfRefund } from '../../domain/ids.ts';
import { isTerminalState } from '../../domain/payment-state.ts';
import {
  type CaptureFailureEvent,
  isCaptureFailure,
  isCaptureRefusal,
  isDispute,
  isFraudWarning,
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
import type { Database } from '../../prisma/connection/client.ts';
import { makeDue } from '../../prisma/queries/due.ts';
import { lockIntent } from '../../prisma/queries/lock.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import {
  adoptUnknown,
  markDelivered,
  markEndedRefunds,
  markRepeatedOutcomes,
  selectUndelivered,
  type UndeliveredEvent,
} from '../../prisma/queries/provider-event.ts';
import { selectSucceededRefund } from '../../prisma/queries/refund.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import type { RefundWorkflows } from '../../workflow-client/refund-workflows.ts';
import type { Reconciliations } from '../../workflow-client/reconciliations.ts';
import { refundInputOf } from '../../workflow-client/workflow-inputs.ts';
import { bookCaptureFailure, bookRecoveredCapture, isNamedCapture } from './book-late-capture.ts';
import { reportDispute, reportFraudWarning } from './report-dispute.ts';
import { reportUnknownRefund } from './report-unknown-refund.ts';
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent' | 'takeOver'>;
  readonly reconciliations: Pick<Reconciliations, 'compareOne'>;
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent' | 'fail'>;
  readonly logger: Pick<Logger, 'error'>;
}

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
 * Delivers provider events that are not marked as delivered: those of the accounts in turn, the oldest first. A workflow gets the report of a charge a second time if
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
  await database.direct.execute(adoptUnknown());
  const reached = new Map<string, UndeliveredEvent>();
  await sweep<UndeliveredEvent>({
    readPage: async () => {
      const after = [...reached.values()].map(placeOf);
      const page = await database.direct.rows(selectUndelivered({ receivedBefore, after, limit: PAGE_SIZE }));
      for (const row of page) reached.set(row.merchantAccountId, row);
      return page;
    },
    // A page has some of each account, so only an empty one is the last.
    pageSize: 1,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const answer = await deliver(dependencies, row);
      if (isSettled(answer, row)) await database.direct.rowsLocked(lockIntent(row.paymentIntentId), markDelivered(row));
    },
    signal,
  });
}

function placeOf({ merchantAccountId, receivedAt, provider, eventId }: UndeliveredEvent) {
  return { merchantAccountId, receivedAt, provider, eventId };
}

function deliver(dependencies: ProviderEventSweeperDependencies, row: UndeliveredEvent): Promise<SignalResult> {
  const { provider, eventId, event } = row;
  if (isCaptureFailure(event)) return bookCaptureFailure(dependencies, row, event);
  // The activity that repeats the capture reads what is stored.
  if (isCaptureRefusal(event)) return Promise.resolve('delivered');
  if (isUnknownRefund(event)) return reportUnknownRefund(dependencies, row, event);
  if (isDispute(event)) return reportDispute(dependencies, row, event);
  if (isFraudWarning(event)) return reportFraudWarning(dependencies, row, event);
  if (isProviderEvent(event)) return deliverPaymentEvent(dependencies, row, event);
  if (isRefundEvent(event)) {
    const strayAttemptId = attemptIdOfStrayCharge(event.refundId);
    return strayAttemptId === undefined
      ? deliverRefundEvent(dependencies, row, event)
      : noteFailedReversal(dependencies, row, strayAttemptId, event);
  }
  throw new TypeError(`provider event ${provider} ${eventId} has no known form`);
}

function deliverPaymentEvent(
  dependencies: ProviderEventSweeperDependencies,
  row: UndeliveredEvent,
  event: ProviderEvent,
): Promise<SignalResult> {
  const failure = row.isVoidAfterCapture ? captureFailureOf(event) : null;
  if (failure !== null) return bookCaptureFailure(dependencies, row, failure);
  if (row.status === 'failed' && isNamedCapture(event)) return bookRecoveredCapture(dependencies, row, event);
  if (row.isVoidOfOpenAttempt && !mayRepeat(row)) return Promise.resolve('not_started');
  if (event.notUnderstood !== undefined) return askAboutEnded(dependencies, row, event);
  return deliverOrTakeOver(dependencies, row, event);
}

/**
 * Nobody has read a report whose payment's workflow has ended before the payment: it stays undelivered, and the payment is due at
 * once, so that another run takes it over and gets the report.
 */
async function deliverOrTakeOver(
  { database, workflows }: ProviderEventSweeperDependencies,
  { paymentIntentId, status }: UndeliveredEvent,
  event: ProviderEvent,
): Promise<SignalResult> {
  const answer = await workflows.deliverProviderEvent(paymentIntentId, event);
  if (answer !== 'finished' || isTerminalState(status)) return answer;
  await database.direct.execute(makeDue('payment_intent', [paymentIntentId]));
  return 'not_started';
}

/** The workflow of an open attempt asks the provider. After its end, a reconciliation of this one payment does, where it can. */
async function askAboutEnded(
  { database, workflows, reconciliations, registry }: ProviderEventSweeperDependencies,
  { paymentIntentId }: UndeliveredEvent,
  event: ProviderEvent,
): Promise<SignalResult> {
  const { provider, eventId, attemptId } = event;
  const attempt = await database.paymentAttempt.findUnique({
    where: { id: attemptId, paymentIntentId, provider },
    select: { outcome: true },
  });
  if (attempt === null) return 'finished';
  if (attempt.outcome === null) return workflows.deliverProviderEvent(paymentIntentId, event);
  const asked = await registry.find(provider);
  if (asked?.findPayment === undefined) return 'finished';
  await reconciliations.compareOne({ provider, attemptId }, eventId);
  return 'delivered';
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
 * An event about an intent that has ended needs no delivery, even if Temporal has deleted the workflow. A void stays undelivered
 * until its attempt or the intent has ended, because the workflow may record a capture at the same time.
 */
function isSettled(answer: SignalResult, { refundId, status, isVoidOfOpenAttempt }: UndeliveredEvent): boolean {
  const hasEnded = refundId === null && isTerminalState(status);
  return hasEnded || (answer !== 'not_started' && !isVoidOfOpenAttempt);
}

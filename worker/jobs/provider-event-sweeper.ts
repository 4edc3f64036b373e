import type { Logger } from 'pino';
import { isTerminalState } from '../../domain/payment-state.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import { handlingOf, type ReportHandling } from '../../domain/report-handling.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { makeDue } from '../../prisma/queries/due.ts';
import { lockIntent } from '../../prisma/queries/lock.ts';
import {
  adoptUnknown,
  markDelivered,
  markEndedRefunds,
  markRepeatedOutcomes,
  selectUndelivered,
  type UndeliveredEvent,
} from '../../prisma/queries/provider-event.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import type { DisputeWorkflows } from '../../workflow-client/dispute-workflows.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import type { Reconciliations } from '../../workflow-client/reconciliations.ts';
import type { RefundWorkflows } from '../../workflow-client/refund-workflows.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';
import { bookCaptureFailure, bookLateCapture } from './book-late-capture.ts';
import { reportDispute, reportFraudWarning } from './report-dispute.ts';
import { deliverRefundEvent, noteFailedReversal } from './report-refund.ts';
import { reportUnknownRefund } from './report-unknown-refund.ts';
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent' | 'takeOver'>;
  readonly reconciliations: Pick<Reconciliations, 'compareOne'>;
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent' | 'fail'>;
  readonly disputeWorkflows: Pick<DisputeWorkflows, 'wake'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Time the API has for delivering the event itself, and the workflow for recording what it reports. */
const GRACE_MS = 2 * SECOND_MS;
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

type Handling<Kind extends ReportHandling['kind']> = Extract<ReportHandling, { readonly kind: Kind }>;
type Handler<Kind extends ReportHandling['kind']> = (
  dependencies: ProviderEventSweeperDependencies,
  row: UndeliveredEvent,
  handling: Handling<Kind>,
) => Promise<SignalResult>;

const HANDLERS: { readonly [Kind in ReportHandling['kind']]: Handler<Kind> } = {
  book_capture_failure: (dependencies, row, { event }) => bookCaptureFailure(dependencies, row, event),
  book_late_capture: (dependencies, row, { event }) => bookLateCapture(dependencies, row, event),
  report_unknown_refund: (dependencies, row, { event }) => reportUnknownRefund(dependencies, row, event),
  report_dispute: (dependencies, row, { event }) => reportDispute(dependencies, row, event),
  report_fraud_warning: (dependencies, row, { event }) => reportFraudWarning(dependencies, row, event),
  fail_reversal: (dependencies, row, { event, attemptId }) => noteFailedReversal(dependencies, row, attemptId, event),
  deliver_to_refund: (dependencies, row, { event }) => deliverRefundEvent(dependencies, row, event),
  ask_provider: (dependencies, row, { event }) => askAboutEnded(dependencies, row, event),
  deliver_to_payment: (dependencies, row, { event }) => deliverOrTakeOver(dependencies, row, event),
  leave_to_capture: () => Promise.resolve('delivered'),
  wait: () => Promise.resolve('not_started'),
};

function deliver(dependencies: ProviderEventSweeperDependencies, row: UndeliveredEvent): Promise<SignalResult> {
  return handle(dependencies, row, handlingOf(row, new Date()));
}

function handle<Kind extends ReportHandling['kind']>(
  dependencies: ProviderEventSweeperDependencies,
  row: UndeliveredEvent,
  handling: Handling<Kind>,
): Promise<SignalResult> {
  return HANDLERS[handling.kind](dependencies, row, handling);
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

/**
 * An event about an intent that has ended needs no delivery, even if Temporal has deleted the workflow. A void stays undelivered
 * until its attempt or the intent has ended, because the workflow may record a capture at the same time.
 */
function isSettled(answer: SignalResult, { refundId, status, isVoidOfOpenAttempt }: UndeliveredEvent): boolean {
  const hasEnded = refundId === null && isTerminalState(status);
  return hasEnded || (answer !== 'not_started' && !isVoidOfOpenAttempt);
}

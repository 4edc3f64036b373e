import { PAYMENT_STATUSES, isTerminal } from '../../domain/payment-state.ts';
import { formatMoney } from '../../domain/money.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import {
  type CaptureFailureEvent,
  isCaptureFailure,
  isProviderEvent,
  isRefundEvent,
  type RefundProviderEvent,
} from '../../domain/provider-outcome.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
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
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent' | 'fail'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert of money that was captured, and did not arrive. */
const CAPTURE_FAILED = 'CAPTURE_FAILED';

/** Time the API has for delivering the event itself. */
const GRACE_MS = 2 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

const TERMINAL_STATUSES: readonly string[] = PAYMENT_STATUSES.filter(isTerminal);

/**
 * Delivers provider events that no workflow has received yet, oldest first. Events of unknown intents are skipped until they
 * are purged; events of an intent without a workflow wait until it is started.
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
      if (isSettled(answer, row)) await database.direct.execute(markDelivered(row));
    },
    signal,
  });
}

function deliver(dependencies: ProviderEventSweeperDependencies, row: UndeliveredEvent): Promise<SignalResult> {
  const { provider, eventId, paymentIntentId, event } = row;
  if (isCaptureFailure(event)) return noteCaptureFailure(dependencies, row, event);
  if (isProviderEvent(event)) return dependencies.workflows.deliverProviderEvent(paymentIntentId, event);
  if (isRefundEvent(event)) return deliverRefundEvent(dependencies, event);
  throw new TypeError(`provider event ${provider} ${eventId} has no known form`);
}

/**
 * Delivers an event to the refund's run, or starts a run for the failure of a refund that had succeeded. The latter is not yet
 * delivered: the event is marked once that run has recorded the failure, so that another run follows one that was terminated.
 */
async function deliverRefundEvent(
  { database, refundWorkflows }: ProviderEventSweeperDependencies,
  event: RefundProviderEvent,
): Promise<SignalResult> {
  const { refundId, refundOutcome } = event;
  const refund =
    refundOutcome.kind === 'refused' ? await database.direct.row(selectSucceededRefund(refundId)) : undefined;
  if (refund === undefined) return refundWorkflows.deliverRefundEvent(refundId, event);
  await refundWorkflows.fail(refundInputOf(refund.refund), event);
  return 'not_started';
}

/**
 * Records that captured money did not arrive, on a payment that has ended: as its last error, in its timeline and as an event.
 * State and amounts stay as they were reported, because the provider may capture again, which only people arrange.
 */
async function noteCaptureFailure(
  { database, logger }: ProviderEventSweeperDependencies,
  { paymentIntentId, status }: UndeliveredEvent,
  { provider, eventId, captureFailure }: CaptureFailureEvent,
): Promise<SignalResult> {
  if (!TERMINAL_STATUSES.includes(status)) return 'not_started';
  const { attemptId, amountMinor, currency, reason } = captureFailure;
  const attempt = await database.paymentAttempt.findUnique({ where: { id: attemptId, paymentIntentId, provider } });
  if (attempt === null) return 'finished';
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

/** An event about an intent that has ended needs no delivery, even if Temporal no longer remembers the workflow. */
function isSettled(answer: SignalResult, { refundId, status }: UndeliveredEvent): boolean {
  return answer !== 'not_started' || (refundId === null && TERMINAL_STATUSES.includes(status));
}

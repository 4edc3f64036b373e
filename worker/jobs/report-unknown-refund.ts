import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { comparedPageOf } from '../../activities/compare-reconciliation-page.ts';
import { createReconciliationRun } from '../../activities/create-reconciliation-run.ts';
import { reconciliationRunIdOf, unrequestedRefundIdOf } from '../../domain/ids.ts';
import { formatMoney } from '../../domain/money.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { UnknownRefundEvent } from '../../domain/provider-outcome.ts';
import {
  compareRefund,
  type Difference,
  type RecordedAttempt,
  REPAIR_EVENT_PREFIX,
} from '../../domain/reconciliation.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import { selectRecordedAttempts, writeComparedPage } from '../../prisma/queries/reconciliation.ts';
import { failSucceededRefund } from '../../prisma/queries/refund-end.ts';
import { recordUnrequestedRefund } from '../../prisma/queries/unrequested-refund.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a provider reports a refund which the engine has not requested. */
const UNKNOWN_REFUND = 'UNKNOWN_REFUND';

/**
 * Records a refund that the engine has not requested: its money is not refundable any more, unless it is that of another payment. The
 * timeline, events and an alert tell it, and a difference in a reconciliation run of this one payment. If such a refund fails later,
 * the money is refundable again. A report of what is recorded already changes nothing.
 */
export async function reportUnknownRefund(
  dependencies: Dependencies,
  row: UndeliveredEvent,
  event: UnknownRefundEvent,
): Promise<SignalResult> {
  const { database } = dependencies;
  const attempt = await database.direct.row(selectRecordedAttempts([event.unknownRefund.attemptId]));
  if (attempt?.provider !== event.provider) return 'finished';
  const recorded = attempt.refunds.find(
    ({ providerRefundId }) => providerRefundId === event.unknownRefund.providerRefundId,
  );
  if (recorded !== undefined) return takeBack(dependencies, recorded, event);
  const [difference] = differencesOf(attempt, event, row);
  if (difference === undefined) return 'finished';
  const isBooked = await book(dependencies, attempt, event);
  await reportDifference(dependencies, { attempt, difference, event, receivedAt: row.receivedAt });
  await tell(dependencies, { attempt, event, isBooked });
  return 'delivered';
}

function differencesOf(
  attempt: RecordedAttempt,
  { unknownRefund: { attemptId: _, ...refund } }: UnknownRefundEvent,
  { receivedAt }: UndeliveredEvent,
): readonly Difference[] {
  const { providerPaymentId } = attempt;
  if (providerPaymentId === null) return [];
  return compareRefund({ ...refund, refundId: null }, { providerPaymentId }, attempt, receivedAt);
}

/** @returns whether the refund is new, and its money was the payment's */
async function book(
  { database }: Dependencies,
  { providerPaymentId }: RecordedAttempt,
  { provider, unknownRefund }: UnknownRefundEvent,
): Promise<boolean> {
  const { attemptId, providerRefundId, status, amountMinor, currency } = unknownRefund;
  const isOfOther = (unknownRefund.providerPaymentId ?? providerPaymentId) !== providerPaymentId;
  if (status === 'failed' || isOfOther) return false;
  const id = unrequestedRefundIdOf(digestOf(provider, providerRefundId));
  const at = new Date().toISOString();
  const refund = { id, attemptId, provider, providerRefundId, amountMinor, currency, at };
  return (await database.direct.row(recordUnrequestedRefund(refund))) !== undefined;
}

/** A recorded refund of this kind that failed after all. One of the engine's own is told by its workflow. */
async function takeBack(
  { database }: Dependencies,
  { refundId }: { readonly refundId: string },
  { unknownRefund: { status, providerRefundId } }: UnknownRefundEvent,
): Promise<SignalResult> {
  const isOfProvider = (await database.refund.count({ where: { id: refundId, origin: 'provider' } })) > 0;
  if (status !== 'failed' || !isOfProvider) return 'finished';
  const failure = {
    code: 'REFUND_FAILED',
    message: 'The provider reports that the refund has failed after all.',
  } as const;
  const at = new Date().toISOString();
  await database.direct.row(
    failSucceededRefund({ refundId, at, status: 'failed', providerRefundId, failure, tries: 0 }),
  );
  return 'delivered';
}

interface Reported {
  readonly attempt: RecordedAttempt;
  readonly difference: Difference;
  readonly event: UnknownRefundEvent;
  readonly receivedAt: Date;
}

/** Writes the difference, once for each refund and end of it. A reconciliation run that has found the refund has written it already. */
async function reportDifference({ database }: Dependencies, reported: Reported): Promise<void> {
  const { attempt, difference, event, receivedAt } = reported;
  if (event.eventId.startsWith(REPAIR_EVENT_PREFIX)) return;
  const run = await createReconciliationRun(database, runOf(event, receivedAt));
  // The event that is handled now is the report.
  const differences = [{ ...difference, report: null }];
  const page = comparedPageOf(run, { compared: [attempt], differences, attemptIds: [], nextCursor: null });
  await database.direct.row(writeComparedPage(page));
}

/** A run with an empty window: it is about one refund. */
function runOf({ provider, unknownRefund: { providerRefundId, status } }: UnknownRefundEvent, receivedAt: Date) {
  const id = reconciliationRunIdOf(digestOf(provider, `${providerRefundId} ${status}`));
  return { id, provider, windowFrom: receivedAt, windowTo: receivedAt, isContinuous: false };
}

/** Adds the refund to the timeline, and alerts operators: once for each refund and end of it. */
async function tell(
  { database, logger }: Dependencies,
  {
    attempt: { paymentIntentId },
    event,
    isBooked,
  }: Pick<Reported, 'attempt' | 'event'> & { readonly isBooked: boolean },
): Promise<void> {
  const { provider, unknownRefund } = event;
  const { attemptId, providerRefundId, amountMinor, currency, status } = unknownRefund;
  const what = `${provider} reports a refund of ${formatMoney(amountMinor, currency)} that was not requested here`;
  const effect = isBooked ? 'it is subtracted from what can be refunded' : 'amounts were not changed';
  const details = { attemptId, providerRefundId, status };
  const step: PaymentStep = { timeline: [{ kind: 'provider_event', summary: `${what}; ${effect}`, details }] };
  const stepId = `unknown refund ${provider} ${providerRefundId} ${status}`;
  if ((await database.timelineEntry.count({ where: { paymentIntentId, stepId } })) > 0) return;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: UNKNOWN_REFUND, provider, paymentIntentId, attemptId, amountMinor, currency };
  logger.error(fields, 'a provider reports a refund that the engine has not requested');
}

function digestOf(provider: string, subject: string): string {
  return createHash('sha256').update(`${provider} ${subject}`).digest('hex').slice(0, 32);
}

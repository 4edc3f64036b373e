import type { Logger } from 'pino';
import { capturedByReports, noteExcessCapture, recoverCapture, reverseCapture } from '../../domain/capture-reversal.ts';
import { isTerminalState } from '../../domain/payment-state.ts';
import type { PaymentRecord } from '../../domain/payment-step.ts';
import type { CaptureFailureEvent, NamedCapture } from '../../domain/provider-outcome.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, type OutsideStep, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import { lockPaymentLink } from '../../prisma/queries/lock.ts';
import { recountPaymentOfLink, selectLinkOfPayment } from '../../prisma/queries/payment-link.ts';
import { selectLatestReports, type UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';
import { paymentInputOf } from '../../workflow-client/workflow-inputs.ts';

interface Dependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'takeOver'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that captured money did not arrive. */
const CAPTURE_FAILED = 'CAPTURE_FAILED';
/** The alert that a provider reports another amount than was asked for. */
const AMOUNT_DIFFERS = 'AMOUNT_DIFFERS';

interface Charged {
  readonly paymentIntentId: string;
  readonly provider: string;
  readonly attemptId: string;
}

/**
 * Takes back a capture whose money did not arrive after all, as far as the provider has not captured it again: what did not arrive
 * neither counts as captured nor can be refunded, and a transaction, events and an alert tell it. A payment of which nothing is left
 * becomes `failed`.
 */
export async function bookCaptureFailure(
  dependencies: Dependencies,
  { paymentIntentId, status }: UndeliveredEvent,
  { provider, eventId, captureFailure }: CaptureFailureEvent,
): Promise<SignalResult> {
  if (!isTerminalState(status)) return 'not_started';
  const { database, logger } = dependencies;
  const { attemptId, amountMinor, currency, reason } = captureFailure;
  if (!(await isCharged(database, { paymentIntentId, provider, attemptId }))) return 'finished';
  await book(dependencies, paymentIntentId, {
    stepId: `capture failed ${provider} ${eventId}`,
    step: async (record, at) => {
      const reportedMinor = await capturedMinor(database, { record, provider, attemptId });
      const missingMinor = record.columns.amountCapturedMinor - reportedMinor;
      return reverseCapture(record, { ...captureFailure, amountMinor: missingMinor }, at);
    },
  });
  const fields = { alert: CAPTURE_FAILED, provider, paymentIntentId, attemptId, amountMinor, currency, reason };
  logger.error(fields, 'a provider reports that captured money did not arrive');
  return 'delivered';
}

/**
 * Books what a provider has captured beyond what is recorded: again, after a capture had failed, or the rest of the money. A report of
 * a capture that is recorded, or has failed since, changes nothing. More than was authorized is noted, with an alert.
 */
export async function bookLateCapture(
  dependencies: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, attemptId }: NamedCapture,
): Promise<SignalResult> {
  const { database, logger } = dependencies;
  if (!(await isCharged(database, { paymentIntentId, provider, attemptId }))) return 'finished';
  let excess = false;
  await book(dependencies, paymentIntentId, {
    stepId: `captured again ${provider} ${eventId}`,
    step: async (record) => {
      const attempt = record.attempts.find(({ id }) => id === attemptId);
      const reportedMinor = await capturedMinor(database, { record, provider, attemptId });
      excess = attempt !== undefined && reportedMinor > attempt.amountMinor;
      const missingMinor = reportedMinor - record.columns.amountCapturedMinor;
      const step = recoverCapture(record, { attemptId, capturedMinor: missingMinor });
      return step ?? (excess && attempt !== undefined ? noteExcessCapture(attempt, reportedMinor) : null);
    },
  });
  if (!excess) return 'delivered';
  const fields = { alert: AMOUNT_DIFFERS, provider, paymentIntentId, attemptId };
  logger.error(fields, 'a provider reports more captured money than was authorized');
  return 'delivered';
}

/** Whether a provider has charged the attempt for this payment. What it charged for another is a stray charge. */
async function isCharged(
  { paymentAttempt }: Pick<Database, 'paymentAttempt'>,
  { paymentIntentId, provider, attemptId }: Charged,
): Promise<boolean> {
  const where = { id: attemptId, paymentIntentId, provider, outcome: 'approved' };
  return (await paymentAttempt.count({ where })) > 0;
}

/** The amount that is captured by all reports so far, in minor units. */
async function capturedMinor(
  database: Database,
  {
    record,
    provider,
    attemptId,
  }: { readonly record: PaymentRecord; readonly provider: string; readonly attemptId: string },
): Promise<number> {
  const { paymentIntentId, terms } = record;
  const newestFirst = await database.direct.rows(selectLatestReports(provider, { paymentIntentId, refundId: null }));
  const reports = newestFirst.map(({ event }) => event).reverse();
  const own = await database.transaction.findFirst({
    where: { paymentIntentId, attemptId, type: 'capture' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { amountMinor: true },
  });
  const ownMinor = Number(own?.amountMinor ?? 0);
  return capturedByReports(reports, {
    attemptId,
    capturedMinor: ownMinor,
    isAutomatic: terms.captureMethod === 'automatic',
  });
}

/**
 * Records the step, then has another run of the workflow end as the payment has, so that Temporal says the same. Where the step
 * changes nothing, nothing follows.
 */
async function book(
  { database, workflows }: Dependencies,
  paymentIntentId: string,
  step: Pick<OutsideStep, 'step' | 'stepId'>,
): Promise<void> {
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, ...step, at });
  if ((await database.timelineEntry.count({ where: { paymentIntentId, stepId: step.stepId } })) === 0) return;
  await recountOfLink(database, paymentIntentId);
  const intent = await database.paymentIntent.findUniqueOrThrow({ where: { id: paymentIntentId } });
  const input = paymentInputOf({
    id: intent.id,
    merchant_account_id: intent.merchantAccountId,
    environment: intent.environment,
    amount_minor: Number(intent.amountMinor),
    currency: intent.currency,
    country: intent.country,
    capture_method: intent.captureMethod,
    reference: intent.reference,
    expires_at: intent.expiresAt.toISOString(),
    attempt_budget: intent.attemptBudget,
    customer_id: intent.customerId,
  });
  await workflows.takeOver(input, 'before a late report of its provider');
}

/** A payment link counts payments whose money has arrived: one that has failed after all gives its place back. */
async function recountOfLink({ direct }: Pick<Database, 'direct'>, paymentIntentId: string): Promise<void> {
  const link = await direct.row(selectLinkOfPayment(paymentIntentId));
  if (link === undefined) return;
  await direct.rowsLocked(lockPaymentLink(link.paymentLinkId), recountPaymentOfLink(paymentIntentId));
}

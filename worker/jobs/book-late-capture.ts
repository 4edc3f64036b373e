import type { Logger } from 'pino';
import { recoverCapture, reverseCapture } from '../../domain/capture-reversal.ts';
import { isTerminalState } from '../../domain/payment-state.ts';
import { type CaptureFailureEvent, isCaptureFailure } from '../../domain/provider-outcome.ts';
import type { NamedCapture } from '../../domain/report-handling.ts';
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

/**
 * Takes back a capture whose money did not arrive after all: the payment becomes `failed`, nothing of it counts as captured or can be
 * refunded, and a transaction, events and an alert tell it.
 */
export async function bookCaptureFailure(
  dependencies: Dependencies,
  { paymentIntentId, status }: UndeliveredEvent,
  { provider, eventId, captureFailure }: CaptureFailureEvent,
): Promise<SignalResult> {
  if (!isTerminalState(status)) return 'not_started';
  const { database, logger } = dependencies;
  const { attemptId, amountMinor, currency, reason } = captureFailure;
  const charged = { id: attemptId, paymentIntentId, provider, outcome: 'approved' };
  if ((await database.paymentAttempt.count({ where: charged })) === 0) return 'finished';
  await book(dependencies, paymentIntentId, {
    stepId: `capture failed ${provider} ${eventId}`,
    step: (record, at) => reverseCapture(record, captureFailure, at),
  });
  const fields = { alert: CAPTURE_FAILED, provider, paymentIntentId, attemptId, amountMinor, currency, reason };
  logger.error(fields, 'a provider reports that captured money did not arrive');
  return 'delivered';
}

/** Books that a provider has captured the money again. The report of the capture that had failed is older, and only came late. */
export async function bookRecoveredCapture(
  dependencies: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, attemptId, outcome, captureReference }: NamedCapture,
): Promise<SignalResult> {
  const { database } = dependencies;
  const reports = await database.direct.rows(selectLatestReports(provider, { paymentIntentId, refundId: null }));
  const failures = reports.map(({ event }) => event).filter(isCaptureFailure);
  const isLate = failures.some(({ captureFailure }) => captureFailure.captureReference === captureReference);
  if (failures.length === 0 || isLate) return 'finished';
  const capturedMinor = outcome.capturedMinor ?? outcome.amountMinor;
  await book(dependencies, paymentIntentId, {
    stepId: `captured again ${provider} ${eventId}`,
    step: (record) => recoverCapture(record, { attemptId, capturedMinor }),
  });
  return 'delivered';
}

/** Records the step, then has another run of the workflow end as the payment has, so that Temporal says the same. */
async function book(
  { database, workflows }: Dependencies,
  paymentIntentId: string,
  step: Pick<OutsideStep, 'step' | 'stepId'>,
): Promise<void> {
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, ...step, at });
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

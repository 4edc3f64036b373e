import type { Logger } from 'pino';
import { disputeIdFor, recordDispute } from '../../activities/record-dispute.ts';
import { stepOfReport } from '../../domain/dispute-step.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { DisputeEvent, FraudWarningEvent } from '../../domain/provider-outcome.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import { selectDisputeForWork } from '../../prisma/queries/dispute.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import type { DisputeWorkflows } from '../../workflow-client/dispute-workflows.ts';
import { disputeInputOf } from '../../workflow-client/workflow-inputs.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly disputeWorkflows: Pick<DisputeWorkflows, 'wake'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a payment is disputed, or about to be. */
const PAYMENT_DISPUTED = 'PAYMENT_DISPUTED';

/**
 * Records a report of a dispute, once: the dispute, the money that it has moved, the timeline, events and an alert. The state of the
 * payment stays; what is disputed cannot be refunded. The dispute's workflow is started, or told to read again.
 * @throws TemporalUnavailableError, after which the report is handled again
 */
export async function reportDispute(
  { database, disputeWorkflows, logger }: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, dispute: { attemptId, ...report } }: DisputeEvent,
): Promise<SignalResult> {
  const disputeId = disputeIdFor(provider, report.providerReference);
  const isAttemptKnown = await recordDispute(database, {
    disputeId,
    paymentIntentId,
    attemptId,
    provider,
    stepId: `dispute ${provider} ${eventId}`,
    step: (known) => stepOfReport({ ...known, report: { ...report, eventId } }),
  });
  if (!isAttemptKnown) return 'finished';
  const { stage, status, unknownStatus, providerEvent } = report;
  const fields = { alert: PAYMENT_DISPUTED, provider, paymentIntentId, attemptId, disputeId };
  logger.error({ ...fields, stage, status, unknownStatus, providerEvent }, 'a provider reports a dispute of a payment');
  const row = await database.direct.row(selectDisputeForWork(disputeId));
  if (row !== undefined) await disputeWorkflows.wake(disputeInputOf(row.dispute));
  return 'delivered';
}

/** Tells, once, that a card's issuer calls a payment fraudulent: in the timeline, by an event and an alert. No money has moved. */
export async function reportFraudWarning(
  { database, logger }: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, fraudWarning }: FraudWarningEvent,
): Promise<SignalResult> {
  const { attemptId, providerEvent, providerReference } = fraudWarning;
  if ((await database.paymentAttempt.count({ where: { id: attemptId, paymentIntentId, provider } })) === 0) {
    return 'finished';
  }
  const step: PaymentStep = {
    isDisputed: true,
    timeline: [
      {
        kind: 'provider_event',
        summary: `${provider}: the card's issuer calls the payment fraudulent; a refund may prevent a chargeback`,
        details: { attemptId, providerEvent, providerReference },
      },
    ],
    events: [{ type: 'payment_intent.fraud_warning', fraudWarning: { ...fraudWarning, provider } }],
  };
  const stepId = `fraud warning ${provider} ${eventId}`;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: PAYMENT_DISPUTED, provider, paymentIntentId, attemptId, providerEvent };
  logger.error(fields, "a card's issuer calls a payment fraudulent");
  return 'delivered';
}

import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { stepOfReport } from '../../domain/dispute-step.ts';
import { disputeIdOf } from '../../domain/ids.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { DisputeEvent, FraudWarningEvent } from '../../domain/provider-outcome.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import { selectDisputesOfPayment } from '../../prisma/queries/dispute.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a payment is disputed, or about to be. */
const PAYMENT_DISPUTED = 'PAYMENT_DISPUTED';

/**
 * Records a report of a dispute, once: the dispute, the money that it has moved, the timeline, events and an alert. The state of the
 * payment stays; what is disputed cannot be refunded.
 */
export async function reportDispute(
  { database, logger }: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, dispute: { attemptId, ...report } }: DisputeEvent,
): Promise<SignalResult> {
  const id = disputeIdOf(digest(`${provider} ${report.providerReference}`));
  const stepOf = async (attempt: Parameters<typeof stepOfReport>[0]['attempt']): Promise<PaymentStep | null> => {
    const disputes = await database.direct.rows(selectDisputesOfPayment(paymentIntentId));
    const earlier = disputes.find((dispute) => dispute.id === id)?.reports ?? [];
    return stepOfReport({ id, attempt, earlier, report: { ...report, eventId }, digest });
  };
  let isAttemptKnown = true;
  await recordOutsideWorkflow(createPaymentStore(database), {
    paymentIntentId,
    step: async ({ attempts }) => {
      const attempt = attempts.find((each) => each.id === attemptId && each.provider === provider);
      isAttemptKnown = attempt !== undefined;
      return attempt === undefined ? null : stepOf(attempt);
    },
    stepId: `dispute ${provider} ${eventId}`,
    at: new Date().toISOString(),
  });
  if (!isAttemptKnown) return 'finished';
  const { stage, status, unknownStatus, providerEvent } = report;
  const fields = { alert: PAYMENT_DISPUTED, provider, paymentIntentId, attemptId, disputeId: id };
  logger.error({ ...fields, stage, status, unknownStatus, providerEvent }, 'a provider reports a dispute of a payment');
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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

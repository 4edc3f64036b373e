import type { Logger } from 'pino';
import { formatMoney } from '../../domain/money.ts';
import type { PaymentStep, ReportedDispute } from '../../domain/payment-step.ts';
import type { DisputeEvent, DisputeStage } from '../../domain/provider-outcome.ts';
import type { Database } from '../../prisma/client.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/payment-store.ts';
import type { UndeliveredEvent } from '../../prisma/queries/provider-event.ts';
import type { SignalResult } from '../../workflow-client/temporal-errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly logger: Pick<Logger, 'error'>;
}

/** The alert that a payment is disputed, or about to be. */
const PAYMENT_DISPUTED = 'PAYMENT_DISPUTED';

const SUMMARIES: Readonly<Record<DisputeStage, string>> = {
  fraud_warning: "the card's issuer calls the payment fraudulent",
  inquiry: "the customer's bank asks about the payment",
  chargeback: "the customer's bank takes the money back",
  updated: 'something has happened to the dispute',
  won: 'the dispute has ended for the merchant',
  lost: 'the dispute has ended against the merchant',
};

/**
 * Tells that a provider reports a dispute, or what comes before one: in the timeline, by an event and an alert. From the first report
 * on, a refund of the payment has to say that it is wanted all the same. Amounts and state do not change.
 */
export async function reportDispute(
  { database, logger }: Dependencies,
  { paymentIntentId }: UndeliveredEvent,
  { provider, eventId, dispute }: DisputeEvent,
): Promise<SignalResult> {
  const { attemptId, stage, providerEvent, providerReference, amountMinor, currency } = dispute;
  if ((await database.paymentAttempt.count({ where: { id: attemptId, paymentIntentId, provider } })) === 0) {
    return 'finished';
  }
  const money = amountMinor === null || currency === null ? {} : { amount: amountMinor, currency };
  const reported: ReportedDispute = { attemptId, provider, stage, providerEvent, providerReference, ...money };
  const amount = amountMinor === null || currency === null ? '' : ` (${formatMoney(amountMinor, currency)})`;
  const step: PaymentStep = {
    isDisputed: true,
    timeline: [
      {
        kind: 'provider_event',
        summary: `${provider}: ${SUMMARIES[stage]}${amount}; a refund has to say that it is wanted all the same`,
        details: { attemptId, stage, providerEvent, providerReference },
      },
    ],
    events: [{ type: 'payment_intent.disputed', dispute: reported }],
  };
  const stepId = `dispute ${provider} ${eventId}`;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: PAYMENT_DISPUTED, provider, paymentIntentId, attemptId, stage, providerEvent };
  logger.error(fields, 'a provider reports a dispute of a payment, or what comes before one');
  return 'delivered';
}

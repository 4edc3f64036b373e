import type { CardTestingResource } from '../schemas/card-testing.ts';
import type { EventResource } from '../schemas/event.ts';
import type { AttemptRow } from '../../prisma/fragments/payment-json.ts';
import type { TransactionRow } from '../../prisma/queries/transaction.ts';
import type { NewTransaction, StoredEvent, SuspectedCardTesting } from '../../prisma/queries/stored-event.ts';
import { presentDispute } from './dispute.ts';
import { presentPaymentIntent } from './payment-intent.ts';
import { presentProviderAccount } from './provider-account.ts';
import { presentDifference } from './reconciliation.ts';
import { presentRefund } from './refund.ts';
import { presentSavedMethod } from './saved-payment-method.ts';
import { presentSettlement, presentSettlementEntry } from './settlement.ts';
import { presentTransaction } from './transaction.ts';
import { presentWebhookEndpoint } from './webhook-endpoint.ts';

/** An event as clients see it, over REST, on merchants' sockets and in webhooks. */
export function presentEvent(event: StoredEvent): EventResource {
  const { type, failure, snapshot } = event;
  const { strayCharge, fraudWarning } = snapshot;
  return {
    id: event.id,
    object: 'event',
    type,
    createdAt: event.createdAt.toISOString(),
    environment: event.environment,
    merchantId: event.merchantAccountId,
    sequence: event.sequence,
    data: presentData(event),
    ...(type === 'payment_intent.payment_failed' && failure !== null ? { failure } : {}),
    ...(strayCharge === undefined ? {} : { strayCharge }),
    ...(fraudWarning === undefined ? {} : { fraudWarning }),
  };
}

/** @throws Error when the snapshot lacks the resource of the event, which would be a bug of the code that wrote it */
function presentData(event: StoredEvent): EventResource['data'] {
  const {
    intent,
    refund,
    transactions = [],
    dispute,
    webhookEndpoint,
    providerAccount,
    reconciliationDifference,
    cardTesting,
    savedPaymentMethod,
    credentials = [],
    settlement,
    settlementEntry,
  } = event.snapshot;
  if (settlement !== undefined) return presentSettlement(settlement);
  if (settlementEntry !== undefined) return presentSettlementEntry(settlementEntry);
  if (savedPaymentMethod !== undefined) return presentSavedMethod({ method: savedPaymentMethod, credentials });
  if (cardTesting !== undefined) return presentCardTesting(event, cardTesting);
  if (reconciliationDifference !== undefined) return presentDifference(reconciliationDifference);
  if (providerAccount !== undefined) return presentProviderAccount(providerAccount);
  if (webhookEndpoint !== undefined) return presentWebhookEndpoint(webhookEndpoint, null, event.createdAt);
  if (event.type === 'transaction.created') {
    const transaction = transactions.find(({ id }) => id === event.resourceId);
    if (transaction !== undefined && event.paymentIntentId !== null) {
      return presentNewTransaction({ ...event, paymentIntentId: event.paymentIntentId }, transaction);
    }
  } else if (dispute !== undefined && event.type.startsWith('dispute.')) return presentDispute(dispute);
  else if (refund !== undefined) return presentRefund(refund);
  else if (intent !== undefined) {
    return presentPaymentIntent({ intent, attempts: attemptsAt(event) }, event.maskedPaymentMethod, {
      savedId: event.savedPaymentMethodId,
      savedUse: event.savedUse,
    });
  }
  throw new Error(`the snapshot of ${event.id} (${event.type}) has no ${event.resourceId}`);
}

function presentCardTesting(
  { id, merchantAccountId, environment }: StoredEvent,
  { limit, declines, confirms, limitPerHour }: SuspectedCardTesting,
): CardTestingResource {
  return {
    id,
    object: 'card_testing',
    merchantId: merchantAccountId,
    environment,
    limit,
    declines,
    confirms,
    limitPerHour,
  };
}

type PaymentsEvent = StoredEvent & { readonly paymentIntentId: string };

/** A new capture has no refunds yet. */
function presentNewTransaction(event: PaymentsEvent, transaction: NewTransaction) {
  return presentTransaction(
    rowOf(event, transaction),
    { refundedMinor: 0, refundableMinor: transaction.amountMinor },
    null,
  );
}

function rowOf(event: PaymentsEvent, transaction: NewTransaction): TransactionRow {
  return {
    id: transaction.id,
    payment_intent_id: event.paymentIntentId,
    attempt_id: transaction.attemptId,
    merchant_account_id: event.merchantAccountId,
    environment: event.environment,
    type: transaction.type,
    amount_minor: transaction.amountMinor,
    currency: transaction.currency,
    provider: transaction.provider,
    provider_payment_id: transaction.providerPaymentId,
    refund_id: transaction.refundId ?? null,
    created_at: event.createdAt.toISOString(),
  };
}

/** The intent's attempts at that time: earlier ones, and those of the event's own step as it left them, but no later ones. */
function attemptsAt({ snapshot, attempts, createdAt }: StoredEvent): readonly AttemptRow[] {
  const methods = new Map(attempts.map(({ id, paymentMethod = null }) => [id, paymentMethod]));
  const written = new Map(
    (snapshot.attempts ?? []).map((attempt) => [
      attempt.id,
      { ...attempt, paymentMethod: methods.get(attempt.id) ?? null },
    ]),
  );
  const earlier = attempts
    .filter(({ id, startedAt }) => !written.has(id) && Date.parse(startedAt) <= createdAt.getTime())
    .map((attempt) => (endedBy(attempt, createdAt) ? attempt : { ...attempt, ...OPEN }));
  return [...earlier, ...written.values()].sort((left, right) => left.number - right.number);
}

const OPEN = { outcome: null, code: null, finishedAt: null } as const;

function endedBy({ finishedAt }: AttemptRow, at: Date): boolean {
  return finishedAt !== null && Date.parse(finishedAt) <= at.getTime();
}

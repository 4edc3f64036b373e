import { ApplicationFailure } from '@temporalio/activity';
import type { ReconciliationMetrics, RecordMetrics } from '../metrics/worker-metrics.ts';
import type { Database } from '../prisma/connection/client.ts';
import { createPaymentStore } from '../prisma/stores/payment-store.ts';
import { createCustomersAtProvider } from '../prisma/stores/provider-customers.ts';
import type { MethodToCharge } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { CardKeyring } from '../vault/card-keys.ts';
import { SealBrokenError } from '../vault/envelope.ts';
import type { Keyring } from '../vault/keyring.ts';
import {
  loadPaymentMethod,
  type MethodAtProvider,
  type MethodReader,
  PaymentMethodUnavailableError,
} from '../vault/payment-method-vault.ts';
import { attemptWebhook, type WebhookDependencies } from './attempt-webhook.ts';
import { updatePayment } from './update-payment.ts';
import { awaitPayment, closePayment, inquirePayment, requireStuck } from './inquire-payment.ts';
import { authorizePayment } from './authorize-payment.ts';
import type { ProviderCallDependencies } from './provider-calls.ts';
import { capturePayment } from './capture-payment.ts';
import { followTestClock } from './follow-test-clock.ts';
import type { CustomerReturns } from './customer-returns.ts';
import { createManualResolutionActivities } from './manual-resolution.ts';
import type { ManualResolutionActivities } from '../protocol/manual-resolution-activities.ts';
import type { PaymentActivities } from '../protocol/payment-activities.ts';
import { maintainCredentials } from './maintain-credentials.ts';
import { createDisputeActivities } from './dispute.ts';
import type { DisputeActivities } from '../protocol/dispute-activities.ts';
import { planPayment } from './plan-payment.ts';
import { readProviderEvent, readRefundEvent } from './read-provider-event.ts';
import { noteAcceptance } from './note-acceptance.ts';
import { readRefundEnd } from './read-refund-end.ts';
import { deliverHeld, probeEndpoint } from './recover-endpoint.ts';
import { recordRefund, recordRefundFailure } from './record-refund.ts';
import { recordStep, requireOwn, stepIdentity } from './record-step.ts';
import { createProviderReports } from './provider-reports.ts';
import type { SavedMethodActivities } from '../protocol/saved-method-activities.ts';
import type { RefundActivities } from '../protocol/refund-activities.ts';
import {
  awaitRefund,
  beginRefundCall,
  createRefundRows,
  type RefundDependencies,
  type RefundRows,
  refundPayment,
  requireRefundRow,
} from './refund-payment.ts';
import {
  inquireStrayCharge,
  recordStrayCharge,
  readStrayChargeStatus,
  requireStrayChargeRow,
  type StrayChargeDependencies,
  voidStrayCharge,
} from './reverse-stray-charge.ts';
import { createReconciliationActivities } from './reconcile.ts';
import { createSettlementActivities } from './import-settlements.ts';
import type { ReconciliationActivities } from '../protocol/reconciliation-activities.ts';
import type { SettlementActivities } from '../protocol/settlement-activities.ts';
import type { StrayChargeActivities } from '../protocol/stray-charge-activities.ts';
import { takeOverPayment } from './take-over-payment.ts';
import type { WebhookActivities } from '../protocol/webhook-activities.ts';

/** The activities of payments and refunds. */
export type EngineActivities = PaymentActivities & RefundActivities;

/** All activities of the payments worker. */
export type WorkerActivities = EngineActivities &
  StrayChargeActivities &
  SavedMethodActivities &
  DisputeActivities &
  ManualResolutionActivities &
  ReconciliationActivities &
  SettlementActivities;

export interface ActivityDependencies {
  readonly database: Database;
  readonly registry: ProviderRegistry;
  readonly cards: CardKeyring;
  readonly keyring: Keyring;
  readonly returns: CustomerReturns;
  readonly metrics: RecordMetrics & ReconciliationMetrics;
}

/** The activities of a worker, bound to their dependencies. */
export function createActivities({
  database,
  registry,
  cards,
  keyring,
  returns,
  metrics,
}: ActivityDependencies): WorkerActivities {
  const calls: ProviderCallDependencies = {
    payments: createPaymentStore(database, metrics.stepWritten),
    registry,
    reports: createProviderReports(database),
    returns,
    customersAt: (provider) => createCustomersAtProvider(database, provider),
    loadPaymentMethod: (method) => loadUsable({ database, keyring, cards }, method),
  };
  return {
    ...createPaymentActivities(calls),
    planPayment: (request) => planPayment(database, registry, request),
    readProviderEvent: (request) => readProviderEvent(database, request),
    readRefundEvent: (request) => readRefundEvent(database, request),
    ...createRefundCalls(createRefundRows(database), calls),
    readRefundEnd: (refundId) => readRefundEnd(database, refundId),
    recordRefund: (resolution) => recordRefund(database, resolution, metrics.refundEnded),
    recordRefundFailure: (resolution) => recordRefundFailure(database, resolution),
    ...createReconciliationActivities({ database, registry, metrics }),
    ...createSettlementActivities({ database, registry }),
    maintainCredentials: (input) => maintainCredentials({ database, registry, keyring }, input),
    ...createDisputeActivities({ database, registry, keyring }),
    ...createStrayChargeActivities({
      ...calls,
      requireRow: (charge) => requireStrayChargeRow(database, charge),
      statusOf: (attemptId) => readStrayChargeStatus(database, attemptId),
    }),
    ...createManualResolutionActivities({
      payments: calls.payments,
      requireRefund: (refund) => requireRefundRow(database, refund),
      requireStrayCharge: (charge) => requireStrayChargeRow(database, charge),
    }),
  };
}

/** The activities of the webhook worker, bound to their dependencies. */
export function createWebhookActivities(dependencies: WebhookDependencies): WebhookActivities {
  return {
    attemptWebhook: (request) => attemptWebhook(dependencies, request),
    probeEndpoint: (request) => probeEndpoint(dependencies, request),
    deliverHeld: (request) => deliverHeld(dependencies, request),
  };
}

/** The activities that ask providers about refunds whose rows have no end. */
export function createRefundCalls(
  rows: RefundRows,
  calls: RefundDependencies,
): Pick<RefundActivities, 'refundPayment' | 'awaitRefund'> {
  return {
    refundPayment: async (request) => {
      await rows.requireRow(request);
      const outcome = await rows.recordedOutcome(request);
      if (outcome !== null) return { outcome, unrecognised: null, tries: 0 };
      const result = await refundPayment(calls, await beginRefundCall(rows, request));
      await noteAcceptance(rows, request, result);
      return result;
    },
    awaitRefund: async (refund) =>
      (await rows.recordedOutcome(refund)) ?? awaitRefund(calls, await beginRefundCall(rows, refund)),
  };
}

/** The activities that reverse stray charges, for any payment store. */
export function createStrayChargeActivities(dependencies: StrayChargeDependencies): StrayChargeActivities {
  return {
    inquireStrayCharge: (charge) => inquireStrayCharge(dependencies, charge),
    voidStrayCharge: (charge) => voidStrayCharge(dependencies, charge),
    recordStrayCharge: (request) => recordStrayCharge(dependencies, request),
  };
}

/** The activities that write a payment's steps, for any payment store. */
export function createPaymentActivities(
  dependencies: ProviderCallDependencies,
): Omit<PaymentActivities, 'planPayment' | 'readProviderEvent'> {
  const { payments, now } = dependencies;
  return {
    readPayment: async (known) => {
      const stored = await payments.read({ paymentIntentId: known.paymentIntentId });
      return requireOwn(stored, known, stepIdentity('read').runId).record;
    },
    recordStep: async (request) => {
      if (request.onlyIfStuck === true) await requireStuck(dependencies, request);
      return recordStep(payments, request, stepIdentity('step'));
    },
    updatePayment: (request) => updatePayment(payments, request, stepIdentity('update')),
    followTestClock: (request) => followTestClock(payments, request, stepIdentity('test clock')),
    takeOverPayment: (request) => takeOverPayment(payments, request, stepIdentity('takeover'), now?.()),
    noteStrayCharge: (charge) => payments.noteStrayCharge(charge),
    authorizePayment: (request) => authorizePayment(dependencies, request),
    inquirePayment: (attempt) => inquirePayment(dependencies, attempt),
    awaitPayment: (request) => awaitPayment(dependencies, request),
    closePayment: (attempt) => closePayment(dependencies, attempt),
    capturePayment: (request) => capturePayment(dependencies, request),
  };
}

/** A payment method that was erased or cannot be decrypted fails without retry: no further try can succeed. */
async function loadUsable(reader: MethodReader, method: MethodAtProvider): Promise<MethodToCharge> {
  try {
    return await loadPaymentMethod(reader, method);
  } catch (error) {
    if (!(error instanceof PaymentMethodUnavailableError) && !(error instanceof SealBrokenError)) throw error;
    throw ApplicationFailure.create({ type: error.name, message: error.message, nonRetryable: true });
  }
}

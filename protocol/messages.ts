import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { StoredDisputeStatus } from '../domain/dispute.ts';
import type { ReconciliationProgress } from '../domain/reconciliation.ts';
import type { ReportedSettlement, SettlementImportProgress } from '../domain/settlement.ts';
import type {
  CancellationReason,
  Environment,
  OperationResult,
  PaymentMethodType,
  PaymentTerms,
} from '../domain/payment.ts';
import type { SavedMethodUse } from '../domain/saved-payment-method.ts';
import type { PaymentStatus } from '../domain/payment-state.ts';
import type { ProviderEventReference } from '../domain/provider-outcome.ts';
import { formatTraceparent, parseTraceparent, type TraceContext } from '../domain/trace-context.ts';

/** The workflow type that runs one payment intent; the workflow's id is the intent's id. */
export const PAYMENT_INTENT_WORKFLOW = 'paymentIntentWorkflow';

/** The task queue of workflows and activities. */
export const PAYMENTS_TASK_QUEUE = 'payments';

/** The input of an intent's workflow. */
export interface PaymentIntentInput {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly terms: PaymentTerms;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Attempts the intent may make across its confirms. */
  readonly attemptBudget: number;
  /** `cus_…`; absent where there is none. */
  readonly customerId?: string;
  /** How the previous run ended; this run first reads the payment and makes an inquiry. Absent at the first run. */
  readonly takeOverAfter?: string;
}

export interface ConfirmRequest {
  readonly paymentMethodId: string;
  readonly method: PaymentMethodType;
  /** The last four digits of a card, by which support staff find the payment. */
  readonly cardLast4?: string;
  /** Until when a run may begin the confirm, ISO 8601 UTC: the client waits no longer for it. */
  readonly beginBefore: string;
  /** Until when its further attempts may begin, ISO 8601 UTC. */
  readonly failOverBefore: string;
  /** How a saved payment method is used; absent where the payment method is another. What is charged is read from its row. */
  readonly savedUse?: SavedMethodUse;
  /** The stored row with the return URL, which stays out of the history; absent for that of the payment. */
  readonly returnUrlId?: string;
}

export interface CancelRequest {
  readonly reason: CancellationReason;
}

export interface UpdateIntentRequest {
  /** The stored row with the changes; their free text stays out of the history. */
  readonly paymentUpdateId: string;
  /** The payment's customer after the update, null for none, by whom support staff find it; absent where it stays the same. */
  readonly customerId?: string | null;
}

export interface CaptureRequest {
  /** Null captures the whole authorized amount. */
  readonly amountMinor: number | null;
}

/** The input of a refund's workflow. The refund's row holds the rest. */
export interface RefundInput {
  readonly refundId: string;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly amountMinor: number;
  readonly currency: string;
  readonly provider: string;
  /** The attempt that captured the money. */
  readonly attemptId: string;
  readonly providerPaymentId: string;
  /** The merchant's own identifier; absent where there is none. */
  readonly reference?: string;
  /** How the previous run ended; this run first reads whether the end is recorded. Absent at the first run. */
  readonly takeOverAfter?: string;
  /** The event that reports the failure of this refund, which had succeeded; this run only records it. Absent otherwise. */
  readonly failureEvent?: ProviderEventReference;
}

/** The workflow type that runs one refund; the workflow's id is the refund's id, its result a `RefundResult`. */
export const REFUND_WORKFLOW = 'refundWorkflow';

/** A provider's webhook about the refund was stored. The event itself is read from its row. Safe to repeat and to reorder. */
export const refundEventSignal = defineSignal<[ProviderEventReference]>('refundEvent');

/** The input of a stray charge's workflow. */
export interface StrayChargeInput {
  /** Derived from the attempt's id; the key of the refund at the provider. */
  readonly strayChargeId: string;
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly provider: string;
  /** The amount of the attempt; the provider reports the charged amount. */
  readonly amountMinor: number;
  readonly currency: string;
  /** How the previous run ended; this run repeats the reversal under its key. Absent at the first run. */
  readonly takeOverAfter?: string;
}

/** The workflow type that reverses one stray charge; the workflow's id is `strayChargeId`, its result a `StrayChargeResult`. */
export const STRAY_CHARGE_WORKFLOW = 'strayChargeWorkflow';

/** The input of a dispute's workflow. Its row holds the rest. */
export interface DisputeInput {
  readonly disputeId: string;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly provider: string;
  /** The provider's id of the dispute. */
  readonly providerReference: string;
  /** When the engine first heard of it, ISO 8601 UTC. */
  readonly createdAt: string;
}

/** The last status that the workflow has read. */
export interface DisputeResult {
  readonly status: StoredDisputeStatus | 'deleted';
}

/** The workflow type that follows one dispute; the workflow's id is the dispute's id, its result a `DisputeResult`. */
export const DISPUTE_WORKFLOW = 'disputeWorkflow';

/** The input of a saved payment method's workflow. */
export interface SavedMethodInput {
  readonly savedPaymentMethodId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** The workflow type that reads or removes providers' tokens; the workflow's id is the saved payment method's id. */
export const SAVED_METHOD_WORKFLOW = 'savedPaymentMethodWorkflow';

/** The workflow type that delivers one event to one endpoint; the workflow's id is the delivery's id. */
export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDeliveryWorkflow';

/** Deliveries have their own task queue and worker slots, so that slow endpoints delay no payment. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** The input of a delivery's workflow. Address, secrets and event stay in their rows. */
export interface WebhookDeliveryInput {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly webhookEndpointId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  /** The payment that the event is about; null where it is about none. */
  readonly paymentIntentId: string | null;
  /** Attempts of an earlier run that ended before the delivery did; absent at the first run. */
  readonly attemptsMade?: number;
}

/**
 * The workflow type that probes a failing endpoint and, once it answers, sends what was held; the workflow's id is
 * `recoveryWorkflowId`.
 */
export const WEBHOOK_RECOVERY_WORKFLOW = 'webhookRecoveryWorkflow';

/** The input of an endpoint's recovery workflow. */
export interface WebhookRecoveryInput {
  readonly webhookEndpointId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** The id of an endpoint's recovery workflow: one of them runs at a time. */
export function recoveryWorkflowId(webhookEndpointId: string): string {
  return `recovery-${webhookEndpointId}`;
}

/** Ends the pause before the next attempt. */
export const attemptNowSignal = defineSignal('attemptNow');

/** The workflow type that compares a provider's list of payments with ours; its result is a `ReconciliationProgress`. */
export const RECONCILIATION_WORKFLOW = 'reconciliationWorkflow';

/** The input of a reconciliation's workflow. */
export interface ReconciliationInput {
  readonly provider: string;
  /** ISO 8601 UTC; if absent, the run continues where the runs before it ended. */
  readonly from?: string;
  /** ISO 8601 UTC; if absent, the run leaves the latest minutes out. */
  readonly to?: string;
  /** The one attempt that is compared, whatever the time; absent if all are. */
  readonly attemptId?: string;
  /** The run that this workflow continues, and how many of its pages are written; absent if the workflow begins a run. */
  readonly continued?: { readonly runId: string; readonly page: number };
}

/** How far a reconciliation is; null before its run is written. */
export const reconciliationProgressQuery = defineQuery<ReconciliationProgress | null>('progress');

/** The workflow type that imports a provider's settlements; its result is a `SettlementImportProgress`. */
export const SETTLEMENT_IMPORT_WORKFLOW = 'settlementImportWorkflow';

/** Where an import goes on. */
export interface SettlementImportPlace {
  readonly importId: string;
  /** Pages of entries that are written. */
  readonly page: number;
  /** Where the list of settlements continues; null where `rest` is its end, and at its start. */
  readonly cursor: string | null;
  /** The settlements of the list's page that are still to be read; null where the page itself is. */
  readonly rest: readonly ReportedSettlement[] | null;
  /** Whether pages of the first of them are written already. */
  readonly isWithinSettlement?: boolean;
}

/** The input of an import's workflow. */
export interface SettlementImportInput {
  readonly provider: string;
  /** Where the run before has ended; absent if the workflow begins an import. */
  readonly continued?: SettlementImportPlace;
}

/** How far an import is; null before its row is written. */
export const settlementImportProgressQuery = defineQuery<SettlementImportProgress | null>('progress');

/** Captures authorized money, in whole or in part; completes when it is known whether the provider captured it. */
export const captureUpdate = defineUpdate<OperationResult, [CaptureRequest]>('capture');

/** Starts the payment; completes when the intent has left `processing`, with the error if there is one. */
export const confirmUpdate = defineUpdate<OperationResult, [ConfirmRequest]>('confirm');

/** Cancels; completes when it is known whether the provider charged. */
export const cancelUpdate = defineUpdate<OperationResult, [CancelRequest]>('cancel');

/** Updates the intent (PATCH) before a payment is under way. */
export const updateIntentUpdate = defineUpdate<OperationResult, [UpdateIntentRequest]>('update');

/** The details of the failure that rejects an update. */
export interface RefusalDetails {
  /** Whether the run rejects because of a state that the payment's row may have left already. */
  readonly mayBeOutdated: boolean;
}

/** A provider's webhook about the payment was stored. The event itself is read from its row. Safe to repeat and to reorder. */
export const providerEventSignal = defineSignal<[ProviderEventReference]>('providerEvent');

/** Makes a run read its payment or dispute again, because it may be stale. */
export const readAgainSignal = defineSignal('readAgain');

/**
 * Makes a payment of the sandbox follow the test clock of its account: it reads its row and the clock's, and its deadlines come
 * closer by the time by which the clock was advanced. An update rather than a signal, because a new payment's first task waits
 * for an update.
 */
export const followTestClockUpdate = defineUpdate('followTestClock');

/** A request of support staff. Temporal does not tell a workflow who sends an update. */
export interface AskProviderRequest {
  /** Who asks, for the audit log. */
  readonly by: string;
}

/** A manual resolution. It takes effect when another person sends the same. */
export interface ManualResolution extends AskProviderRequest {
  /** What was checked, for the audit log. */
  readonly note: string;
}

/** What support staff may record about a payment: `reversed` returns what the provider charged, and cancels the payment. */
export const PAYMENT_RESOLUTIONS = ['charged', 'not_charged', 'reversed'] as const;

export interface ResolvePaymentRequest extends ManualResolution {
  readonly outcome: (typeof PAYMENT_RESOLUTIONS)[number];
  /** The provider's id of the payment; required where it has charged. */
  readonly providerPaymentId?: string;
  /** The charged amount in minor units; only where the provider reports another one than it was asked for. */
  readonly amountMinor?: number;
}

/** The answer to support staff. */
export interface ManualResolutionAnswer {
  /** For people, in English. */
  readonly answer: string;
  /** Whether this request has ended the wait: it came from the second person. Absent of an inquiry. */
  readonly isResolved?: boolean;
}

/** The answer to support staff about a payment. */
export interface SupportAnswer extends ManualResolutionAnswer {
  readonly status: PaymentStatus;
}

/** Asks the provider of the last attempt at once. The answer counts as if the provider had reported it. */
export const askProviderNowUpdate = defineUpdate<SupportAnswer, [AskProviderRequest]>('askProviderNow');

export const REFUND_RESOLUTIONS = ['refunded', 'not_refunded'] as const;

export interface ResolveRefundRequest extends ManualResolution {
  readonly outcome: (typeof REFUND_RESOLUTIONS)[number];
  /** The provider's id of the refund; required where it has refunded. */
  readonly providerRefundId?: string;
  /** The refunded amount in minor units; only where the provider reports another one than it was asked for. */
  readonly amountMinor?: number;
}

export const STRAY_CHARGE_RESOLUTIONS = ['returned', 'not_charged'] as const;

export interface ResolveStrayChargeRequest extends ManualResolution {
  /** `returned`: somebody has returned the money, by whatever way. */
  readonly outcome: (typeof STRAY_CHARGE_RESOLUTIONS)[number];
}

/** The update by which support staff end what waits for a provider, of each workflow that may wait for one. */
const RESOLVE_BY_HAND = 'resolveByHand';

/** Ends a refund's wait for its provider by what two people have found in the provider's ledger. The provider is asked first. */
export const resolveRefundUpdate = defineUpdate<ManualResolutionAnswer, [ResolveRefundRequest]>(RESOLVE_BY_HAND);

/** Ends a stray charge whose provider does not answer, or refuses to refund it, by what two people say. */
export const resolveStrayChargeUpdate = defineUpdate<ManualResolutionAnswer, [ResolveStrayChargeRequest]>(
  RESOLVE_BY_HAND,
);

/** The object of the workflow has got an advisory, which the run shows to support staff. Changes nothing else. */
export const showAdvisorySignal = defineSignal('showAdvisory');

/**
 * Ends a payment's wait for its provider by what two people have found in the provider's ledger. The provider is asked first: if it
 * says how the attempt ended, its answer counts. After `not_charged` and `reversed` the payment is canceled, and what the provider
 * has charged is returned.
 */
export const resolvePaymentUpdate = defineUpdate<SupportAnswer, [ResolvePaymentRequest]>(RESOLVE_BY_HAND);

/** The header of a start, update, signal or activity that names its place in a trace; Temporal's own interceptors use it too. */
const TRACE_HEADER = '_tracer-data';

/** The headers of a message that is part of a trace. */
export function withTrace(headers: Headers, context: TraceContext): Headers {
  const payload = defaultPayloadConverter.toPayload({ traceparent: formatTraceparent(context) });
  return { ...headers, [TRACE_HEADER]: payload };
}

/** The place in a trace that the headers of a message name; null where they name none that can be read. */
export function traceOf(headers: Headers): TraceContext | null {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return null;
  try {
    const { traceparent } = defaultPayloadConverter.fromPayload<{ readonly traceparent?: unknown }>(payload);
    return typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
  } catch {
    return null;
  }
}

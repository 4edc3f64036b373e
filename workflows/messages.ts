import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  CancellationReason,
  Environment,
  OperationResult,
  PaymentMethodType,
  PaymentTerms,
} from '../domain/payment.ts';
import type { ProviderEvent, RefundProviderEvent } from '../domain/provider-outcome.ts';

/** The workflow type that runs one payment intent; the workflow's id is the intent's id. */
export const PAYMENT_INTENT_WORKFLOW = 'paymentIntentWorkflow';

/** The task queue of workflows and activities. */
export const PAYMENTS_TASK_QUEUE = 'payments';

/** What an intent's workflow is started with. */
export interface PaymentIntentInput {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly terms: PaymentTerms;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Attempts the intent may make across its confirms. */
  readonly attemptBudget: number;
  /** How the run before this one ended; this one reads the payment first and asks its provider. Absent at the first run. */
  readonly takeOverAfter?: string;
}

export interface ConfirmRequest {
  readonly paymentMethodId: string;
  readonly method: PaymentMethodType;
}

export interface CancelRequest {
  readonly reason: CancellationReason;
}

export interface AmendRequest {
  /** The row that holds the change; its free text stays out of the history. */
  readonly amendmentId: string;
}

export interface CaptureRequest {
  /** Null takes all that is held. */
  readonly amountMinor: number | null;
}

/** What a refund's workflow is started with. The refund's row holds the rest. */
export interface RefundInput {
  readonly refundId: string;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly amountMinor: number;
  readonly currency: string;
  readonly provider: string;
  /** The attempt that took the money. */
  readonly attemptId: string;
  readonly providerPaymentId: string;
  /** How the run before this one ended; this one reads first whether the refund's row has its end. Absent at the first run. */
  readonly takeOverAfter?: string;
}

/** The workflow type that runs one refund; the workflow's id is the refund's id, its result a `RefundResult`. */
export const REFUND_WORKFLOW = 'refundWorkflow';

/** Something a provider reported by itself about a refund. Safe to repeat and to reorder. */
export const refundEventSignal = defineSignal<[RefundProviderEvent]>('refundEvent');

/** What the workflow of a stray charge is started with. */
export interface StrayChargeInput {
  /** Made of the attempt's id; the key of the refund at the provider. */
  readonly strayChargeId: string;
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly provider: string;
  /** What the attempt was to charge; what it did charge, the provider says. */
  readonly amountMinor: number;
  readonly currency: string;
  /** How the run before this one ended; this one repeats the reversal under its key. Absent at the first run. */
  readonly takeOverAfter?: string;
}

/** The workflow type that reverses one stray charge; the workflow's id is `strayChargeId`, its result a `StrayChargeResult`. */
export const STRAY_CHARGE_WORKFLOW = 'strayChargeWorkflow';

/** The workflow type that brings one event to one endpoint; the workflow's id is the delivery's id. */
export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDeliveryWorkflow';

/** Deliveries have a queue, and with it slots, of their own, so that slow endpoints keep no payment waiting. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** What a delivery's workflow is started with. Address, secrets and event stay in their rows. */
export interface WebhookDeliveryInput {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly webhookEndpointId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  /** The payment that the event is about; null where it is about none. */
  readonly paymentIntentId: string | null;
  /** Attempts that a workflow of the delivery has made which ended before its time; absent where there was none. */
  readonly attemptsMade?: number;
}

/** Ends the pause before the next attempt. */
export const attemptNowSignal = defineSignal('attemptNow');

/** Captures held money, in whole or in part; answers when it is certain whether the provider captured it. */
export const captureUpdate = defineUpdate<OperationResult, [CaptureRequest]>('capture');

/** Starts paying; answers when the intent has left `processing`, with the failure if there is one. */
export const confirmUpdate = defineUpdate<OperationResult, [ConfirmRequest]>('confirm');

/** Cancels; answers when it is certain whether the provider charged. */
export const cancelUpdate = defineUpdate<OperationResult, [CancelRequest]>('cancel');

/** Changes the terms before a payment is under way. */
export const amendUpdate = defineUpdate<OperationResult, [AmendRequest]>('amend');

/** Comes with the refusal of an update. */
export interface RefusalDetails {
  /** Whether the run refuses because of a state that the payment's rows may have left already. */
  readonly mayBeOutdated: boolean;
}

/** Something a provider reported by itself. Safe to repeat and to reorder. */
export const providerEventSignal = defineSignal<[ProviderEvent]>('providerEvent');

/** Makes a run read its payment again, because the rows are not what it knows. */
export const readAgainSignal = defineSignal('readAgain');

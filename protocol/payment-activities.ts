import type { OpeningRefusal } from '../domain/attempt-opening.ts';
import type { AllowedRetries } from '../domain/decline-retries.ts';
import type { JsonObject } from '../domain/json.ts';
import type { StoredOperation } from '../domain/operation.ts';
import type {
  Attempt,
  CaptureMethod,
  Environment,
  OperationResult,
  PaymentMethodType,
  PaymentTerms,
} from '../domain/payment.ts';
import type { AttemptEnd } from '../domain/payment-resolution.ts';
import type { PaymentRecord, PaymentStep } from '../domain/payment-step.ts';
import type {
  FinalOutcome,
  InquiryOutcome,
  OpenOutcome,
  ProviderEvent,
  ProviderEventReference,
} from '../domain/provider-outcome.ts';
import type { SavedMethodUse } from '../domain/saved-payment-method.ts';
import type { RoutePlan } from '../domain/plan-routes.ts';

export interface PlanRequest {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly paymentMethodId: string;
  readonly terms: PaymentTerms;
  /** Attempts that earlier confirms have made, so that each confirm draws its own weighted order, and keeps it. */
  readonly attemptsMade: number;
}

export interface ReadProviderEventRequest extends ProviderEventReference {
  readonly paymentIntentId: string;
}

/** A payment and the lowest version that its row may have: the version that the workflow has seen. */
export interface KnownPayment {
  readonly paymentIntentId: string;
  readonly knownVersion: number;
}

export interface RecordStepRequest extends KnownPayment {
  readonly step: PaymentStep;
  /** ISO 8601 UTC, by the workflow's clock. */
  readonly at: string;
  /** Whether the activity fails, and so is retried, while the provider of the open attempt makes the expected progress. */
  readonly onlyIfStuck?: boolean;
}

export interface UpdatePaymentRequest extends KnownPayment {
  readonly paymentUpdateId: string;
  readonly at: string;
}

export interface FollowTestClockRequest extends KnownPayment {
  readonly at: string;
}

export interface TakeOverRequest extends KnownPayment {
  /** How the run before this one ended; null where this run has to read the payment again. */
  readonly endedAs: string | null;
  /** Operations that wait for their answer in this run. */
  readonly operationIds: readonly string[];
}

/** The recorded payment, and the operations that merchants have requested. */
export interface TakeOverResult {
  readonly payment: PaymentRecord;
  readonly operations: readonly StoredOperation[];
}

/** An attempt as calls to its provider name it; its id is the provider's idempotency key. */
export interface AttemptAtProvider extends KnownPayment {
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly provider: string;
  readonly environment: Environment;
  /** The requested amount; if a provider reports another one, the outcome is unknown. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  /** How a saved payment method is used; absent where none is. */
  readonly savedUse?: SavedMethodUse;
}

export interface AuthorizePaymentRequest extends KnownPayment {
  readonly environment: Environment;
  readonly attempt: Attempt;
  readonly captureMethod: CaptureMethod;
  readonly attemptBudget: number;
  /** Written before the provider is called. */
  readonly intention: PaymentStep;
  /** Until when the attempt may begin, ISO 8601 UTC. */
  readonly beginBefore: string;
  /** Until when an authorization without an answer may be sent again, ISO 8601 UTC. */
  readonly retryBefore: string;
  /** The stored return URL of the confirm; absent for that of the payment. */
  readonly returnUrlId?: string;
  /** Which declines are not recorded, because another attempt may follow; absent for none. */
  readonly retries?: AllowedRetries;
}

export interface AuthorizePaymentResult {
  /** As it is recorded with the provider's answer. */
  readonly payment: PaymentRecord;
  /** Why the attempt may not begin: its intention was not written, and its provider not called. Null where it was opened. */
  readonly refusal: OpeningRefusal | null;
  /** The answer to the confirm, where there is one now. */
  readonly result: OperationResult | null;
  /** The summary of the step that was recorded, for support staff; null where an earlier try has recorded it. */
  readonly decided: string | null;
  /** The provider's response where its adapter does not know the shape; nothing was recorded then. */
  readonly unrecognised: JsonObject | null;
  /** How the attempt has ended, where nothing was recorded because another attempt may follow; else absent. */
  readonly unrecordedEnd?: Pick<AttemptEnd, 'outcome' | 'unknown' | 'retry'>;
  /**
   * Set where the provider wants the customer, who is not there: nothing was recorded, and the attempt is to be closed. Else absent.
   */
  readonly needsCustomer?: true;
  /** Calls made to the provider. */
  readonly tries: number;
}

/** A provider's answer, and the payment with the timeline entry about it. */
export interface ProviderAnswer<Outcome extends InquiryOutcome> {
  readonly outcome: Outcome;
  readonly payment: PaymentRecord;
}

export interface AwaitPaymentRequest extends AttemptAtProvider {
  /** The open outcome that is already known; absent where only a final outcome counts. */
  readonly known?: OpenOutcome['kind'];
}

export interface CapturePaymentRequest extends KnownPayment {
  readonly environment: Environment;
  readonly attempt: Attempt;
  /** At most the authorized amount; the provider releases the rest. */
  readonly amountMinor: number;
  /** The id of the capture. */
  readonly operationId: string;
  /** Whether an earlier run may have requested it already. */
  readonly isRepeated: boolean;
}

export interface CapturePaymentResult {
  readonly payment: PaymentRecord;
  /** The summary of the step that was recorded, for support staff; null where an earlier try has recorded it. */
  readonly decided: string | null;
  readonly result: OperationResult;
}

/**
 * The activities of a payment's workflow. A provider outage is a retryable failure whose type is the `OutageCode`.
 * An activity that records something fails without retry: with the type `RUN_OUT_OF_DATE` where the rows have changed since
 * the workflow read them, with `DATABASE_BEHIND_HISTORY` where they are older than the workflow's history.
 */
export interface PaymentActivities {
  /** Reads routes, limits and provider health, and decides. Writes nothing. */
  planPayment(request: PlanRequest): Promise<RoutePlan>;
  /** Reads the event of a verified webhook about the payment; null where there is none. Writes nothing. */
  readProviderEvent(request: ReadProviderEventRequest): Promise<ProviderEvent | null>;
  /** Reads the payment. Writes nothing. */
  readPayment(known: KnownPayment): Promise<PaymentRecord>;
  /** Writes one step, exactly once. */
  recordStep(request: RecordStepRequest): Promise<PaymentRecord>;
  /** Applies a stored update, exactly once. Fails without retry, type `PAYMENT_UPDATE_GONE`, when the update was purged. */
  updatePayment(request: UpdatePaymentRequest): Promise<PaymentRecord>;
  /** Makes the payment older by the time by which its account's test clock was advanced, exactly once. */
  followTestClock(request: FollowTestClockRequest): Promise<PaymentRecord>;
  /** Assigns the payment to this run, and reads it. */
  takeOverPayment(request: TakeOverRequest): Promise<TakeOverResult>;
  /** Records a stray charge: a provider charged for an attempt that had ended without a charge. */
  noteStrayCharge(attempt: { readonly attemptId: string; readonly paymentIntentId: string }): Promise<void>;
  /** Writes the intention, sends the authorization to the provider, and records the outcome. */
  authorizePayment(request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult>;
  /** Makes one inquiry about an attempt. */
  inquirePayment(attempt: AttemptAtProvider): Promise<ProviderAnswer<InquiryOutcome>>;
  /**
   * Makes inquiries until the provider has a final outcome, or an open one that is new. Until then the activity fails and
   * is retried.
   */
  awaitPayment(request: AwaitPaymentRequest): Promise<ProviderAnswer<InquiryOutcome>>;
  /** Closes an attempt at its provider and returns its final outcome. */
  closePayment(attempt: AttemptAtProvider): Promise<ProviderAnswer<FinalOutcome>>;
  /** Captures authorized money and records it. Repeated under its key until the provider has answered. */
  capturePayment(request: CapturePaymentRequest): Promise<CapturePaymentResult>;
}

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
import type { PaymentRecord, PaymentStep } from '../domain/payment-step.ts';
import type { FinalOutcome, InquiryOutcome, OpenOutcome } from '../domain/provider-outcome.ts';
import type { RoutePlan } from '../domain/plan-routes.ts';

/** The routes to try, or why the payment may not be tried at all. */
export type PaymentPlan = RoutePlan;

export interface PlanRequest {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly terms: PaymentTerms;
  /** Attempts already made, so that each confirm draws its own weighted order. */
  readonly attemptsMade: number;
}

/** A payment as a workflow knows it: the least that its rows have to say. */
export interface KnownPayment {
  readonly paymentIntentId: string;
  readonly knownVersion: number;
}

export interface RecordStepRequest extends KnownPayment {
  readonly step: PaymentStep;
  /** ISO 8601 UTC, by the workflow's clock. */
  readonly at: string;
}

export interface AmendPaymentRequest extends KnownPayment {
  readonly amendmentId: string;
  readonly at: string;
}

export interface TakeOverRequest extends KnownPayment {
  /** How the run before this one ended; null where this run has to read the payment again. */
  readonly endedAs: string | null;
  /** Operations that wait for their answer in this run. */
  readonly operationIds: readonly string[];
}

/** The payment as it is recorded, and what was asked of it. */
export interface TakenOver {
  readonly payment: PaymentRecord;
  readonly operations: readonly StoredOperation[];
}

/** An attempt as calls to its provider name it; its id is the provider's idempotency key. */
export interface AttemptAtProvider extends KnownPayment {
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly provider: string;
  readonly environment: Environment;
  /** What was asked for: any other amount that a provider reports is an unknown outcome. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
}

export interface AuthorizePaymentRequest extends KnownPayment {
  readonly environment: Environment;
  readonly attempt: Attempt;
  readonly captureMethod: CaptureMethod;
  readonly attemptBudget: number;
  /** Written before the provider is called. */
  readonly intention: PaymentStep;
}

export interface AuthorizePaymentResult {
  /** As it is recorded with the provider's answer. */
  readonly payment: PaymentRecord;
  /** The answer to the confirm, where there is one now. */
  readonly result: OperationResult | null;
  /** What was recorded last, in words for support staff; null where an earlier try has recorded it. */
  readonly decided: string | null;
  /** What the provider said in a shape that its adapter does not know; nothing was recorded then. */
  readonly unrecognised: JsonObject | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

/** A provider's answer, and the payment with the line that tells of it. */
export interface ProviderAnswer<Outcome extends InquiryOutcome> {
  readonly outcome: Outcome;
  readonly payment: PaymentRecord;
}

export interface AwaitPaymentRequest extends AttemptAtProvider {
  /** What the attempt is known to wait for; absent where only its end is of interest. */
  readonly known?: OpenOutcome['kind'];
}

export interface CapturePaymentRequest extends KnownPayment {
  readonly environment: Environment;
  readonly attempt: Attempt;
  /** At most what is held; the rest is released. */
  readonly amountMinor: number;
  /** The id of the capture. */
  readonly operationId: string;
  /** Whether an earlier run may have asked for it already. */
  readonly isRepeated: boolean;
}

export interface CapturePaymentResult {
  readonly payment: PaymentRecord;
  /** What was recorded last, in words for support staff; null where an earlier try has recorded it. */
  readonly decided: string | null;
  readonly result: OperationResult;
}

/**
 * What a payment's workflow has done for it. Outages are thrown as retryable failures named by their `OutageCode`.
 * Whatever records something fails for good with the type `RUN_OUT_OF_DATE` where the rows say something else than the
 * workflow knows, and `DATABASE_BEHIND_HISTORY` where they are older than that.
 */
export interface PaymentActivities {
  /** Reads routes, limits and provider health, and decides. Writes nothing. */
  planPayment(request: PlanRequest): Promise<PaymentPlan>;
  /** Writes one step, exactly once. */
  recordStep(request: RecordStepRequest): Promise<PaymentRecord>;
  /** Applies a waiting amendment, exactly once. Fails for good with the type `AMENDMENT_GONE` when it was purged. */
  amendPayment(request: AmendPaymentRequest): Promise<PaymentRecord>;
  /** Makes the payment this run's own, and reads it. */
  takeOverPayment(request: TakeOverRequest): Promise<TakenOver>;
  /** Notes that a provider took money for an attempt that had ended without a charge. */
  noteStrayCharge(attempt: { readonly attemptId: string; readonly paymentIntentId: string }): Promise<void>;
  /** Writes the intention, asks the provider for the money, and records what it answers. */
  authorizePayment(request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult>;
  /** Asks once what became of an attempt. */
  inquirePayment(attempt: AttemptAtProvider): Promise<ProviderAnswer<InquiryOutcome>>;
  /**
   * Asks until the provider has a final answer, or an open one that tells more than is known; as long as it has none, the
   * activity fails and is retried.
   */
  awaitPayment(request: AwaitPaymentRequest): Promise<ProviderAnswer<InquiryOutcome>>;
  /** Calls an attempt off and answers with what then holds for good. */
  closePayment(attempt: AttemptAtProvider): Promise<ProviderAnswer<FinalOutcome>>;
  /** Captures held money and records it. Repeated under its key until the provider has answered. */
  capturePayment(request: CapturePaymentRequest): Promise<CapturePaymentResult>;
}

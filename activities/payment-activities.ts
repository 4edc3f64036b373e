import type { PaymentChange } from '../domain/payment-change.ts';
import type { Environment, PaymentMethodType, PaymentTerms } from '../domain/payment.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  FinalOutcome,
  InquiryOutcome,
  OpenOutcome,
} from '../domain/provider-outcome.ts';
import type { RoutePlan } from '../routing/plan-routes.ts';

export interface PlanRequest {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly terms: PaymentTerms;
  /** Attempts already made, so that each confirm draws its own weighted order. */
  readonly attemptsMade: number;
}

/** The routes to try, or why the payment may not be tried at all. */
export interface PaymentPlan extends RoutePlan {
  /** What is to be paid, where the row holds other terms than were asked about: an amendment whose step was lost. */
  readonly terms?: PaymentTerms;
}

/** Which attempt at which provider; the attempt's id is the provider's idempotency key. */
export interface AttemptAtProvider {
  readonly attemptId: string;
  readonly provider: string;
  readonly environment: Environment;
}

export interface AuthorizePaymentRequest extends AttemptAtProvider {
  readonly paymentIntentId: string;
  readonly paymentMethodId: string;
  readonly terms: PaymentTerms;
  /** Calls made to the provider before this activity; absent where there was none. */
  readonly triesBefore?: number;
}

export interface AuthorizePaymentResult {
  readonly outcome: AuthorizationOutcome;
  /** Calls made to the provider, this one included. */
  readonly tries: number;
}

export interface AwaitPaymentRequest extends AttemptAtProvider {
  /** What the attempt is known to wait for; absent where only its end is of interest. */
  readonly known?: OpenOutcome['kind'];
}

export interface CapturePaymentRequest extends AttemptAtProvider {
  /** At most what is held; the rest is released. */
  readonly amountMinor: number;
  readonly currency: string;
}

export interface CapturePaymentResult {
  readonly outcome: CaptureOutcome;
  /** Calls made to the provider, this one included. */
  readonly tries: number;
}

/** An amendment, with what is known of its payment: steps that were written and lost do not hold any more. */
export interface Amendment extends Pick<PaymentChange, 'columns' | 'attempts' | 'transactionCount'> {
  readonly paymentIntentId: string;
  readonly amendmentId: string;
  readonly fromVersion: number;
  readonly at: string;
}

/** The terms that hold, and the version of the row; workers of earlier versions did not tell the latter. */
export interface AmendedTerms extends PaymentTerms {
  readonly version?: number;
}

/** What a payment's workflow has done for it. Outages are thrown as retryable failures named by their `OutageCode`. */
export interface PaymentActivities {
  /** Reads routes, limits and provider health, and decides. */
  planPayment(request: PlanRequest): Promise<PaymentPlan>;
  /**
   * Writes one step, exactly once, and answers with the version that it gave the row (null by workers of earlier versions).
   * Fails for good, with the type `RECORD_OVERTAKEN`, when another run has gone on with the payment, or has to.
   */
  recordChange(change: PaymentChange): Promise<number | null>;
  /**
   * Applies a waiting amendment, exactly once, and answers with the terms that hold now. Fails for good, with the type
   * `AMENDMENT_GONE`, when there is no such amendment any more, and with `RECORD_OVERTAKEN` as above.
   */
  applyAmendment(amendment: Amendment): Promise<AmendedTerms>;
  authorizePayment(request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult>;
  /** The first try, within the workflow task. Fails with the type `NOT_CALLED` where the provider was not called. */
  authorizeAtOnce(request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult>;
  /** Asks once what became of an attempt. */
  inquirePayment(attempt: AttemptAtProvider): Promise<InquiryOutcome>;
  /**
   * Asks until the provider has a final answer, or an open one that tells more than is known; as long as it has none, the
   * activity fails and is retried.
   */
  awaitPayment(request: AwaitPaymentRequest): Promise<InquiryOutcome>;
  /** Takes money that is held. */
  capturePayment(request: CapturePaymentRequest): Promise<CapturePaymentResult>;
  /** Calls an attempt off and answers with what then holds for good. */
  closePayment(attempt: AttemptAtProvider): Promise<FinalOutcome>;
}

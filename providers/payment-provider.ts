import type { CaptureMethod, Environment } from '../domain/payment.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  ProviderEvent,
  RefundInquiryOutcome,
  RefundOutcome,
  RefundProviderEvent,
} from '../domain/provider-outcome.ts';

/** A decrypted payment method. Exists only between decryption and the provider's socket. */
export type PaymentMethodDetails =
  | {
      readonly type: 'card';
      readonly number: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
      readonly cvc: string | null;
      readonly holderName: string | null;
    }
  | { readonly type: 'upi'; readonly vpa: string | null }
  | { readonly type: 'crypto'; readonly asset: string; readonly network: string };

/** Which payment at the provider is meant: every call names the attempt, whose id is the idempotency key. */
export interface AttemptReference {
  readonly attemptId: string;
  readonly environment: Environment;
}

export interface AuthorizationRequest extends AttemptReference {
  readonly paymentIntentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodDetails;
  /** The merchant's own identifier, such as an order number, for the provider's statement; null where there is none. */
  readonly reference: string | null;
  /** Where the customer goes after a redirect; null where the merchant gave none. */
  readonly returnUrl: string | null;
  /** The merchant's metadata of the intent; the simulator reads its scenario from it. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface CaptureRequest extends AttemptReference {
  /** At most the authorized amount; the rest is released. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** Which refund at the provider is meant; its id is the idempotency key. */
interface RefundReference {
  readonly refundId: string;
  readonly environment: Environment;
}

export interface RefundRequest extends RefundReference {
  /** The attempt that captured the money. */
  readonly attemptId: string;
  /** The provider's id of the payment. */
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The merchant's own identifier, for the provider's statement; absent or null where there is none. */
  readonly reference?: string | null;
}

/**
 * An upstream payment provider. A call without a usable answer throws `ProviderOutageError`; every other answer is returned as
 * a value, with the amounts and currencies that the provider reports, even where they differ from the request. Every call is
 * safe to repeat.
 */
export interface PaymentProvider {
  readonly name: string;

  /** Authorizes, and captures where the capture method is automatic. A repeat with the same attempt never charges again. */
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationOutcome>;

  /**
   * Inquires about an attempt. `not_charged` is final: the provider has closed the key, so that an earlier
   * request that is still on its way cannot charge either.
   */
  inquire(reference: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Closes an attempt, whatever its state, and voids its hold. `not_charged` when nothing was captured and nothing will be, with
   * `voided` where there was a hold; `approved` with `captured: true` when the money had been captured, and stays captured.
   */
  close(reference: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Captures authorized money, once. A repeat returns what was captured. After a lost reply, `inquire` returns the outcome.
   */
  capture(request: CaptureRequest, signal: AbortSignal): Promise<CaptureOutcome>;

  /**
   * Refunds captured money, in whole or in part. A repeat with the same refund never refunds twice. A closed key is returned as
   * `unrecognised`, not thrown as an outage: every repeat would get the same answer, while an inquiry returns the outcome.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;

  /**
   * Inquires about a refund. `not_refunded` is final: the provider has closed the key, so that an earlier request
   * that is still on its way cannot refund anything either.
   */
  inquireRefund(reference: RefundReference, signal: AbortSignal): Promise<RefundInquiryOutcome>;

  /**
   * Verifies the signature over the raw bytes, then translates the provider's event.
   * @returns null for kinds of event that say nothing about a payment or a refund
   * @throws WebhookVerificationError when the signature, its time or the form is wrong
   */
  parseWebhook(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): ProviderEvent | RefundProviderEvent | null;
}

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

/** A payment method in the clear. Lives only between decryption and the provider's socket. */
export type PaymentMethodDetails =
  | {
      readonly type: 'card';
      readonly number: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
      readonly cvc: string | null;
      readonly holderName: string | null;
    }
  | { readonly type: 'upi'; readonly vpa: string }
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
  /** Where the customer goes after a redirect; null where the merchant gave none. */
  readonly returnUrl: string | null;
  /** What the merchant noted on the intent; sandbox providers read there which scenario they play. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface CaptureRequest extends AttemptReference {
  /** At most what is held; the rest is released. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** Which refund at the provider is meant; its id is the idempotency key. */
interface RefundReference {
  readonly refundId: string;
  readonly environment: Environment;
}

export interface RefundRequest extends RefundReference {
  /** The attempt that took the money. */
  readonly attemptId: string;
  /** The provider's id of the payment. */
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * An upstream payment provider. Calls that get no usable answer throw `ProviderOutageError`; whatever the provider
 * did say is returned as a value, with the amounts and currencies that it reports, also where they are not what was
 * asked for. Every call is safe to repeat.
 */
export interface PaymentProvider {
  readonly name: string;

  /** Asks for the money, or to hold it for a later capture. A repeat with the same attempt never charges again. */
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationOutcome>;

  /**
   * Asks what became of an attempt. `not_charged` is final: the provider has closed the key, so that an earlier
   * request that is still on its way cannot charge either.
   */
  inquire(reference: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Calls an attempt off, whatever it waits for, and releases money that is only held. `not_charged` when nothing was
   * or will be captured, with `voided` where a hold was; `approved` with `captured: true` when the money had been captured
   * and stays captured.
   */
  close(reference: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Takes money that is held, once. A repeat answers with what was captured. What became of a capture whose reply was
   * lost, `inquire` tells.
   */
  capture(request: CaptureRequest, signal: AbortSignal): Promise<CaptureOutcome>;

  /**
   * Gives captured money back, in whole or in part. A repeat with the same refund never gives back twice. That the key is
   * closed is an answer, `unrecognised`, and no outage: a repeat would get it for ever, an inquiry tells what it stands for.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;

  /**
   * Asks what became of a refund. `not_refunded` is final: the provider has closed the key, so that an earlier request
   * that is still on its way cannot give anything back either.
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

import type { CaptureMethod, Environment } from '../domain/payment.ts';
import type { AuthorizationOutcome, InquiryOutcome, ProviderEvent } from '../domain/provider-outcome.ts';

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
  | { readonly type: 'upi'; readonly vpa: string };

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
}

/**
 * An upstream payment provider. Calls that get no usable answer throw `ProviderOutageError`; whatever the provider
 * did say is returned as a value. Every call is safe to repeat.
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
   * or will be taken; `approved` with `captured: true` when the money had been taken and stays taken.
   */
  close(reference: AttemptReference, signal: AbortSignal): Promise<InquiryOutcome>;

  /**
   * Verifies the signature over the raw bytes, then translates the provider's event.
   * @returns null for kinds of event that say nothing about a payment
   * @throws WebhookVerificationError when the signature, its time or the form is wrong
   */
  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): ProviderEvent | null;
}

import { randomBytes, randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import { SECOND_MS } from '../../../domain/time.ts';

/** The part of a PaymentIntent that is shown, in Stripe's own types. */
export type Intent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'capture_method'
  | 'created'
  | 'currency'
  | 'customer'
  | 'description'
  | 'livemode'
  | 'metadata'
  | 'next_action'
  | 'payment_method'
  | 'setup_future_usage'
  | 'status'
> & {
  readonly payment_method_options: { readonly card: { readonly request_three_d_secure: string } };
  readonly last_payment_error: PaymentError | null;
  readonly latest_charge: Charge | null;
};

/** Why the last confirmation failed. */
export type PaymentError = Pick<Stripe.PaymentIntent.LastPaymentError, 'type' | 'code' | 'decline_code' | 'message'>;

/** The part of a Charge that is shown. */
export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'captured'
  | 'created'
  | 'currency'
  | 'metadata'
  | 'payment_intent'
  | 'status'
> & { readonly payment_method_details: { readonly type: 'card'; readonly card: Card } | null };

/** The part of a card that is shown. */
export type Card = Pick<
  Stripe.Charge.PaymentMethodDetails.Card,
  'brand' | 'last4' | 'exp_month' | 'exp_year' | 'capture_before' | 'network_transaction_id' | 'transaction_link_id'
>;

/** The part of a Refund that is shown. */
export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_reason' | 'metadata' | 'payment_intent' | 'status'
>;

/** An id as Stripe makes them, such as `pi_3…`. */
export function newId(prefix: string): string {
  return `${prefix}_3${randomBytes(12).toString('hex')}`;
}

/** By which a card network knows a payment: fifteen digits. */
export function newNetworkTransactionId(): string {
  return randomInt(10 ** 14)
    .toString()
    .padStart(15, '1');
}

/** The present as Stripe writes times. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / SECOND_MS);
}

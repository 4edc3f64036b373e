import type Stripe from 'stripe';
import { type Form, recordAt, textAt } from './form.ts';
import {
  type Card,
  type Charge,
  type Intent,
  newId,
  newNetworkTransactionId,
  nowSeconds,
  type PaymentError,
  type Refund,
} from './objects.ts';
import { PaymentMethods, type ShownMethod } from './payment-methods.ts';
import { declineRefusal, invalidRequest, StripeRefusal, unexpectedState } from './refusals.ts';
import type { CardBehaviour } from './test-cards.ts';

/** A hold on the card can be captured for a week. */
const CHALLENGES: ReadonlySet<CardBehaviour['kind']> = new Set([
  'challenged',
  'challenged_once',
  'declined_unless_challenged',
]);

/** Stripe decides by itself unless the payment asks for 3-D Secure. */
function challengeAskedFor(form: Form): string {
  return textAt(form, 'payment_method_options', 'card', 'request_three_d_secure') ?? 'automatic';
}

function heldCard(card: Card): Card {
  return { ...card, capture_before: nowSeconds() + WEEK_SECONDS };
}

const WEEK_SECONDS = 604_800;

export interface PaymentsOptions {
  /** Currencies that the account may not charge in, in lower case. */
  readonly refusedCurrencies?: readonly string[];
  /** Receives each event, with the object as it is then. */
  readonly onEvent: (type: string, object: Intent | Charge | Refund | ShownMethod, previous?: object) => void;
}

/**
 * Payments of one account in test mode: kept in memory, changed at once. What Stripe would refuse throws a `StripeRefusal`; after
 * each change an event is sent.
 */
export class Payments {
  readonly #methods = new PaymentMethods();
  readonly #intents = new Map<string, Intent>();
  readonly #refunds = new Map<string, Refund>();
  /** The payments that were confirmed without their customer, and why. */
  readonly #offSession = new Map<string, 'recurring' | 'one_off'>();
  readonly #refusedCurrencies: readonly string[];
  readonly #onEvent: PaymentsOptions['onEvent'];

  constructor({ onEvent, refusedCurrencies = [] }: PaymentsOptions) {
    this.#onEvent = onEvent;
    this.#refusedCurrencies = refusedCurrencies;
  }

  createMethod(form: Form) {
    return this.#methods.create(form);
  }

  createCustomer(form: Form) {
    return this.#methods.createCustomer(form);
  }

  customers() {
    return this.#methods.customers();
  }

  deleteCustomer(id: string): void {
    this.#methods.deleteCustomer(id);
  }

  findMethod(id: string): ShownMethod {
    return this.#methods.get(id);
  }

  /** The cards that are kept for a customer. */
  methodsOf(customer: string): readonly ShownMethod[] {
    return this.#methods.attachedTo(customer);
  }

  detachMethod(id: string): ShownMethod {
    const { customer } = this.#methods.get(id);
    const detached = this.#methods.detach(id);
    this.#onEvent('payment_method.detached', detached, { customer });
    return detached;
  }

  /** A card network has given the card of a method another expiry. */
  updateMethodAutomatically(id: string): void {
    this.#onEvent('payment_method.automatically_updated', this.#methods.get(id));
  }

  /** A token of a CVC, which is not looked at. */
  createCvcToken() {
    return { id: newId('cvctok'), object: 'token', type: 'cvc_update' } as const;
  }

  createConfirmationToken(cardNumber: string): string {
    return this.#methods.createConfirmationToken(cardNumber);
  }

  createIntent(form: Form): Intent {
    const amount = Number(textAt(form, 'amount'));
    if (!Number.isSafeInteger(amount) || amount < 1) throw invalidRequest('parameter_invalid_integer', 400, 'amount');
    if (amount > 99_999_999_999) throw invalidRequest('amount_too_large', 400, 'amount');
    const currency = textAt(form, 'currency') ?? '';
    if (this.#refusedCurrencies.includes(currency))
      throw new StripeRefusal(400, { type: 'invalid_request_error', param: 'currency' });
    const methodId = textAt(form, 'payment_method');
    const customer = textAt(form, 'customer');
    this.#methods.requireUsable(methodId, customer);
    const intent: Intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      amount_capturable: 0,
      amount_received: 0,
      capture_method: textAt(form, 'capture_method') === 'manual' ? 'manual' : 'automatic',
      created: nowSeconds(),
      currency,
      customer: customer ?? null,
      description: textAt(form, 'description') ?? null,
      livemode: false,
      metadata: recordAt(form, 'metadata'),
      next_action: null,
      payment_method: methodId ?? null,
      setup_future_usage: textAt(form, 'setup_future_usage') ?? null,
      payment_method_options: { card: { request_three_d_secure: challengeAskedFor(form) } },
      status: methodId === undefined ? 'requires_payment_method' : 'requires_confirmation',
      last_payment_error: null,
      latest_charge: null,
    };
    return this.#save(intent, 'payment_intent.created');
  }

  find(id: string): Intent {
    const intent = this.#intents.get(id);
    if (intent === undefined) throw invalidRequest('resource_missing', 404);
    return intent;
  }

  /** Newest first. */
  list(form: Form): readonly Intent[] {
    const from = Number(textAt(form, 'created', 'gte') ?? 0);
    const until = Number(textAt(form, 'created', 'lte') ?? Infinity);
    return this.intents()
      .filter(({ created }) => created >= from && created <= until)
      .reverse();
  }

  /** Oldest first. */
  intents(): readonly Intent[] {
    return [...this.#intents.values()];
  }

  confirm(id: string, form: Form): Intent {
    const found = this.find(id);
    const isNew = found.status === 'requires_payment_method' && found.last_payment_error === null;
    if (found.status !== 'requires_confirmation' && !isNew) throw unexpectedState(found);
    const intent: Intent = { ...found, payment_method: this.#methodToConfirm(found, form) };
    const method = this.#methods.find(intent.payment_method);
    const behaviour = method?.behaviour ?? { kind: 'approved' };
    const offSession = textAt(form, 'off_session');
    if (offSession === 'recurring' || offSession === 'one_off') this.#offSession.set(id, offSession);
    else if (offSession !== undefined) throw invalidRequest('parameter_invalid', 400, 'off_session');
    if (behaviour.kind === 'declined') {
      const { code, declineCode } = behaviour;
      throw declineRefusal(this.#decline(intent, { type: 'card_error', code, decline_code: declineCode }));
    }
    // A card that asks once is not asked again when the merchant charges it.
    const isKnown = behaviour.kind === 'challenged_once' && offSession !== undefined && method?.customer != null;
    const isUnasked =
      behaviour.kind === 'declined_unless_challenged' &&
      intent.payment_method_options.card.request_three_d_secure === 'automatic';
    if (isKnown || !CHALLENGES.has(behaviour.kind)) return this.#approve(intent);
    if (isUnasked || offSession !== undefined || textAt(form, 'error_on_requires_action') === 'true') {
      const code = 'authentication_required';
      throw declineRefusal(this.#decline(intent, { type: 'card_error', code, decline_code: code }));
    }
    return this.#save(
      { ...intent, status: 'requires_action', next_action: challengeOf(id, textAt(form, 'return_url')) },
      'payment_intent.requires_action',
    );
  }

  /** The customer comes back from the bank's page. */
  completeAuthentication(id: string, isAuthenticated: boolean): Intent {
    const intent = this.find(id);
    if (intent.status !== 'requires_action') throw unexpectedState(intent);
    if (isAuthenticated) return this.#approve(intent);
    return this.#decline(intent, { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' });
  }

  /** Why a payment was confirmed without its customer; undefined where the customer was there. */
  offSessionOf(id: string): 'recurring' | 'one_off' | undefined {
    return this.#offSession.get(id);
  }

  capture(id: string, form: Form): Intent {
    const intent = this.find(id);
    const charge = intent.latest_charge;
    if (intent.status !== 'requires_capture' || charge === null) throw unexpectedState(intent);
    const amount = Number(textAt(form, 'amount_to_capture') ?? intent.amount_capturable);
    if (amount > intent.amount_capturable) throw invalidRequest('amount_too_large', 400, 'amount_to_capture');
    const captured: Intent = {
      ...intent,
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: amount,
      latest_charge: { ...charge, captured: true, amount_captured: amount },
    };
    return this.#save(captured, 'payment_intent.succeeded');
  }

  cancel(id: string): Intent {
    const intent = this.find(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
      throw unexpectedState(intent);
    }
    return this.#end(intent);
  }

  /** The hold of a payment is over, though nobody canceled it. */
  expire(id: string): Intent {
    const intent = this.find(id);
    if (intent.latest_charge !== null) this.#onEvent('charge.expired', intent.latest_charge);
    return this.#end(intent);
  }

  createRefund(form: Form): Refund {
    const intent = this.find(textAt(form, 'payment_intent') ?? '');
    const amount = Number(textAt(form, 'amount') ?? intent.amount_received);
    const left = intent.amount_received - this.refundedMinor(intent.id);
    if (left === 0) throw invalidRequest('charge_already_refunded', 400);
    if (amount > left) throw new StripeRefusal(400, { type: 'invalid_request_error', param: 'amount' });
    const behaviour = this.#methods.find(intent.payment_method)?.behaviour;
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      created: nowSeconds(),
      currency: intent.currency,
      metadata: recordAt(form, 'metadata'),
      payment_intent: intent.id,
      status: behaviour?.kind === 'refund_pending' ? 'pending' : 'succeeded',
    };
    const made = this.#saveRefund(refund, 'refund.created');
    if (behaviour?.kind === 'refund_fails') setImmediate(() => this.settleRefund(refund.id, 'failed'));
    return made;
  }

  settleRefund(id: string, status: 'succeeded' | 'failed'): Refund {
    const refund = this.#refunds.get(id);
    if (refund === undefined) throw invalidRequest('resource_missing', 404);
    const reason = status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {};
    return this.#saveRefund({ ...refund, ...reason, status }, status === 'failed' ? 'refund.failed' : 'refund.updated');
  }

  /** Oldest first. */
  refunds(): readonly Refund[] {
    return [...this.#refunds.values()];
  }

  /** Newest first. */
  refundsOf(intentId: string | undefined): readonly Refund[] {
    return this.refunds()
      .filter(({ payment_intent: each }) => each === intentId)
      .reverse();
  }

  /** What is refunded of a payment, or will be, in the currency's minor unit. */
  refundedMinor(intentId: string): number {
    return this.refundsOf(intentId)
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #end(intent: Intent): Intent {
    const canceled: Intent = { ...intent, status: 'canceled', amount_capturable: 0, next_action: null };
    return this.#save(canceled, 'payment_intent.canceled');
  }

  #save(intent: Intent, event: string): Intent {
    this.#intents.set(intent.id, intent);
    this.#onEvent(event, intent);
    return intent;
  }

  #saveRefund(refund: Refund, event: string): Refund {
    this.#refunds.set(refund.id, refund);
    this.#onEvent(event, refund);
    return refund;
  }

  /** The payment method to confirm with: the intent's own, or that of a confirmation token, which is used up by it. */
  #methodToConfirm(intent: Intent, form: Form): string {
    const token = textAt(form, 'confirmation_token');
    if (token !== undefined) return this.#methods.useConfirmationToken(token);
    if (typeof intent.payment_method === 'string') return intent.payment_method;
    throw unexpectedState(intent);
  }

  #approve(intent: Intent): Intent {
    const isCaptured = intent.capture_method !== 'manual';
    const { amount, currency, metadata } = intent;
    const method = this.#methods.find(intent.payment_method);
    const card =
      method === undefined ? undefined : { ...method.card, network_transaction_id: newNetworkTransactionId() };
    const { customer } = intent;
    if (method !== undefined && intent.setup_future_usage !== null && typeof customer === 'string')
      this.#onEvent('payment_method.attached', this.#methods.attach(method.id, customer));
    const charge: Charge = {
      id: newId('ch'),
      object: 'charge',
      amount,
      amount_captured: isCaptured ? amount : 0,
      captured: isCaptured,
      created: nowSeconds(),
      currency,
      metadata,
      payment_intent: intent.id,
      payment_method_details: card === undefined ? null : { type: 'card', card: isCaptured ? card : heldCard(card) },
      status: 'succeeded',
    };
    const approved = { ...intent, next_action: null, last_payment_error: null, latest_charge: charge };
    return isCaptured
      ? this.#save({ ...approved, status: 'succeeded', amount_received: amount }, 'payment_intent.succeeded')
      : this.#save(
          { ...approved, status: 'requires_capture', amount_capturable: amount },
          'payment_intent.amount_capturable_updated',
        );
  }

  #decline(intent: Intent, error: PaymentError): Intent {
    return this.#save(
      { ...intent, status: 'requires_payment_method', next_action: null, last_payment_error: error },
      'payment_intent.payment_failed',
    );
  }
}

/** What the customer has to do: on the bank's page, or on the shop's own where it gave no address to come back to. */
function challengeOf(intentId: string, returnUrl: string | undefined): Stripe.PaymentIntent.NextAction {
  if (returnUrl === undefined) return { type: 'use_stripe_sdk' };
  return {
    type: 'redirect_to_url',
    redirect_to_url: { url: `https://hooks.stripe.com/3d_secure/${intentId}`, return_url: returnUrl },
  };
}

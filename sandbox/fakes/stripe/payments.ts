import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { type Form, recordAt, textAt } from './form.ts';
import { behaviourOf, type CardBehaviour } from './test-cards.ts';

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
  | 'description'
  | 'livemode'
  | 'metadata'
  | 'next_action'
  | 'payment_method'
  | 'status'
> & {
  readonly last_payment_error: PaymentError | null;
  readonly latest_charge: Charge | null;
};

type PaymentError = Pick<Stripe.PaymentIntent.LastPaymentError, 'type' | 'code' | 'decline_code' | 'message'>;

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

type Card = Pick<Stripe.Charge.PaymentMethodDetails.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>;

export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_reason' | 'metadata' | 'payment_intent' | 'status'
>;

/** A request that Stripe refuses. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { readonly type: string; readonly code?: string; readonly [name: string]: unknown },
  ) {
    super(error.code ?? error.type);
  }
}

export interface PaymentsOptions {
  /** Currencies that the account may not charge in, in lower case. */
  readonly refusedCurrencies?: readonly string[];
  /** Receives each event, with the object as it is then. */
  readonly onEvent: (type: string, object: Intent | Charge | Refund) => void;
}

/** Payments of one account in test mode: kept in memory, changed at once. */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments({ onEvent, refusedCurrencies = [] }: PaymentsOptions) {
  const methods = new Map<string, CardBehaviour>();
  const cards = new Map<string, Card>();
  /** The payment methods of confirmation tokens that are not used yet. */
  const confirmationTokens = new Map<string, string>();
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, Refund>();

  const save = (intent: Intent, event: string): Intent => {
    intents.set(intent.id, intent);
    onEvent(event, intent);
    return intent;
  };

  const saveRefund = (refund: Refund, event: string): Refund => {
    refunds.set(refund.id, refund);
    onEvent(event, refund);
    return refund;
  };

  const find = (id: string): Intent => {
    const intent = intents.get(id);
    if (intent === undefined) throw invalid('resource_missing', 404);
    return intent;
  };

  const approve = (intent: Intent): Intent => {
    const isCaptured = intent.capture_method !== 'manual';
    const { amount, currency, metadata } = intent;
    const card = typeof intent.payment_method === 'string' ? cards.get(intent.payment_method) : undefined;
    const charge: Charge = {
      id: newId('ch'),
      object: 'charge',
      amount,
      amount_captured: isCaptured ? amount : 0,
      captured: isCaptured,
      created: seconds(),
      currency,
      metadata,
      payment_intent: intent.id,
      payment_method_details: card === undefined ? null : { type: 'card', card },
      status: 'succeeded',
    };
    const approved = { ...intent, next_action: null, last_payment_error: null, latest_charge: charge };
    return isCaptured
      ? save({ ...approved, status: 'succeeded', amount_received: amount }, 'payment_intent.succeeded')
      : save(
          { ...approved, status: 'requires_capture', amount_capturable: amount },
          'payment_intent.amount_capturable_updated',
        );
  };

  const decline = (intent: Intent, error: PaymentError): Intent =>
    save(
      { ...intent, status: 'requires_payment_method', next_action: null, last_payment_error: error },
      'payment_intent.payment_failed',
    );

  const refundedMinor = (intentId: string): number =>
    [...refunds.values()]
      .filter(({ payment_intent: of, status }) => of === intentId && status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);

  /** The payment method to confirm with: the intent's own, or that of a confirmation token, which is used up by it. */
  const methodToConfirm = (intent: Intent, form: Form): string => {
    const token = textAt(form, 'confirmation_token');
    if (token === undefined && typeof intent.payment_method === 'string') return intent.payment_method;
    if (token === undefined) throw ofAnotherState(intent);
    const methodId = confirmationTokens.get(token);
    if (methodId === undefined) throw invalid('resource_missing', 400, 'confirmation_token');
    confirmationTokens.delete(token);
    return methodId;
  };

  return {
    /** What Stripe's page in the browser does: a token that one confirmation may use. */
    createConfirmationToken(cardNumber: string): string {
      const token = newId('ctoken');
      confirmationTokens.set(token, this.createMethod({ card: { number: cardNumber } }).id);
      return token;
    },

    createMethod(form: Form) {
      const behaviour = behaviourOf(textAt(form, 'card', 'number') ?? '');
      if (behaviour.kind === 'invalid') throw new StripeRefusal(402, { type: 'card_error', code: behaviour.code });
      const id = newId('pm');
      methods.set(id, behaviour);
      cards.set(id, cardOf(form));
      return { id, object: 'payment_method', type: 'card' } satisfies Partial<Stripe.PaymentMethod>;
    },

    createIntent(form: Form): Intent {
      const amount = Number(textAt(form, 'amount'));
      if (!Number.isSafeInteger(amount) || amount < 1) throw invalid('parameter_invalid_integer', 400, 'amount');
      if (amount > 99_999_999_999) throw invalid('amount_too_large', 400, 'amount');
      const currency = textAt(form, 'currency') ?? '';
      if (refusedCurrencies.includes(currency))
        throw new StripeRefusal(400, { type: 'invalid_request_error', param: 'currency' });
      const methodId = textAt(form, 'payment_method');
      if (methodId !== undefined && !methods.has(methodId)) throw invalid('resource_missing', 400, 'payment_method');
      const intent: Intent = {
        id: newId('pi'),
        object: 'payment_intent',
        amount,
        amount_capturable: 0,
        amount_received: 0,
        capture_method: textAt(form, 'capture_method') === 'manual' ? 'manual' : 'automatic',
        created: seconds(),
        currency,
        description: textAt(form, 'description') ?? null,
        livemode: false,
        metadata: recordAt(form, 'metadata'),
        next_action: null,
        payment_method: methodId ?? null,
        status: methodId === undefined ? 'requires_payment_method' : 'requires_confirmation',
        last_payment_error: null,
        latest_charge: null,
      };
      return save(intent, 'payment_intent.created');
    },

    find,

    /** Newest first. */
    list(form: Form): readonly Intent[] {
      const from = Number(textAt(form, 'created', 'gte') ?? 0);
      const until = Number(textAt(form, 'created', 'lte') ?? Infinity);
      return [...intents.values()].filter(({ created }) => created >= from && created <= until).reverse();
    },

    confirm(id: string, form: Form): Intent {
      const found = find(id);
      const isNew = found.status === 'requires_payment_method' && found.last_payment_error === null;
      if (found.status !== 'requires_confirmation' && !isNew) throw ofAnotherState(found);
      const methodId = methodToConfirm(found, form);
      const intent: Intent = { ...found, payment_method: methodId };
      const behaviour: CardBehaviour = methods.get(methodId) ?? { kind: 'approved' };
      if (behaviour.kind === 'declined') {
        const { code, declineCode } = behaviour;
        throw declineRefusal(decline(intent, { type: 'card_error', code, decline_code: declineCode }));
      }
      if (behaviour.kind !== 'challenged') return approve(intent);
      if (textAt(form, 'error_on_requires_action') === 'true') {
        throw declineRefusal(decline(intent, { type: 'card_error', code: 'authentication_required' }));
      }
      const returnUrl = textAt(form, 'return_url');
      const nextAction: Stripe.PaymentIntent.NextAction =
        returnUrl === undefined
          ? { type: 'use_stripe_sdk' }
          : {
              type: 'redirect_to_url',
              redirect_to_url: { url: `https://hooks.stripe.com/3d_secure/${id}`, return_url: returnUrl },
            };
      return save({ ...intent, status: 'requires_action', next_action: nextAction }, 'payment_intent.requires_action');
    },

    /** The customer comes back from the bank's page. */
    completeAuthentication(id: string, isAuthenticated: boolean): Intent {
      const intent = find(id);
      if (intent.status !== 'requires_action') throw ofAnotherState(intent);
      if (isAuthenticated) return approve(intent);
      return decline(intent, { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' });
    },

    capture(id: string, form: Form): Intent {
      const intent = find(id);
      const charge = intent.latest_charge;
      if (intent.status !== 'requires_capture' || charge === null) throw ofAnotherState(intent);
      const amount = Number(textAt(form, 'amount_to_capture') ?? intent.amount_capturable);
      if (amount > intent.amount_capturable) throw invalid('amount_too_large', 400, 'amount_to_capture');
      const captured: Intent = {
        ...intent,
        status: 'succeeded',
        amount_capturable: 0,
        amount_received: amount,
        latest_charge: { ...charge, captured: true, amount_captured: amount },
      };
      return save(captured, 'payment_intent.succeeded');
    },

    cancel(id: string): Intent {
      const intent = find(id);
      if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
        throw ofAnotherState(intent);
      }
      return save(
        { ...intent, status: 'canceled', amount_capturable: 0, next_action: null },
        'payment_intent.canceled',
      );
    },

    /** The hold of a payment is over, though nobody canceled it. */
    expire(id: string): Intent {
      const intent = find(id);
      if (intent.latest_charge !== null) onEvent('charge.expired', intent.latest_charge);
      return save({ ...intent, status: 'canceled', amount_capturable: 0 }, 'payment_intent.canceled');
    },

    createRefund(form: Form): Refund {
      const intent = find(textAt(form, 'payment_intent') ?? '');
      const amount = Number(textAt(form, 'amount') ?? intent.amount_received);
      const left = intent.amount_received - refundedMinor(intent.id);
      if (left === 0) throw invalid('charge_already_refunded', 400);
      if (amount > left) throw new StripeRefusal(400, { type: 'invalid_request_error', param: 'amount' });
      const method = typeof intent.payment_method === 'string' ? methods.get(intent.payment_method) : undefined;
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        created: seconds(),
        currency: intent.currency,
        metadata: recordAt(form, 'metadata'),
        payment_intent: intent.id,
        status: method?.kind === 'refund_pending' ? 'pending' : 'succeeded',
      };
      const made = saveRefund(refund, 'refund.created');
      if (method?.kind === 'refund_fails') setImmediate(() => this.settleRefund(refund.id, 'failed'));
      return made;
    },

    settleRefund(id: string, status: 'succeeded' | 'failed'): Refund {
      const refund = refunds.get(id);
      if (refund === undefined) throw invalid('resource_missing', 404);
      const reason = status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {};
      return saveRefund({ ...refund, ...reason, status }, status === 'failed' ? 'refund.failed' : 'refund.updated');
    },

    /** Newest first. */
    refundsOf: (intentId: string | undefined): readonly Refund[] =>
      [...refunds.values()].filter(({ payment_intent: each }) => each === intentId).reverse(),

    intents: (): readonly Intent[] => [...intents.values()],
    refunds: (): readonly Refund[] => [...refunds.values()],
    refundedMinor,
  };
}

function cardOf(form: Form): Card {
  const last4 = textAt(form, 'card', 'number')?.slice(-4) ?? null;
  const month = Number(textAt(form, 'card', 'exp_month') ?? 12);
  return { brand: 'visa', last4, exp_month: month, exp_year: Number(textAt(form, 'card', 'exp_year') ?? 2_039) };
}

function invalid(code: string, status: number, param?: string): StripeRefusal {
  return new StripeRefusal(status, { type: 'invalid_request_error', code, ...(param === undefined ? {} : { param }) });
}

function ofAnotherState(intent: Intent): StripeRefusal {
  const type = 'invalid_request_error';
  return new StripeRefusal(400, { type, code: 'payment_intent_unexpected_state', payment_intent: intent });
}

function declineRefusal(intent: Intent): StripeRefusal {
  const { type = 'card_error', code, decline_code: declineCode } = intent.last_payment_error ?? {};
  return new StripeRefusal(402, {
    type,
    ...(code === undefined ? {} : { code }),
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    payment_intent: intent,
  });
}

function newId(prefix: string): string {
  return `${prefix}_3${randomBytes(12).toString('hex')}`;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

import type Stripe from 'stripe';
import { type Form, textAt } from './form.ts';
import { type Card, newId } from './objects.ts';
import { invalidRequest, StripeRefusal } from './refusals.ts';
import { behaviourOf, type CardBehaviour } from './test-cards.ts';

/** A card that was sent, and what it does. */
interface StoredMethod {
  readonly card: Card;
  readonly behaviour: CardBehaviour;
}

/** The cards of one account in test mode, and the confirmation tokens that stand for them. */
export class PaymentMethods {
  readonly #methods = new Map<string, StoredMethod>();
  /** The payment methods of confirmation tokens that are not used yet. */
  readonly #confirmationTokens = new Map<string, string>();

  /** @throws StripeRefusal where no payment method can be made of the card */
  create(form: Form) {
    const behaviour = behaviourOf(textAt(form, 'card', 'number') ?? '');
    if (behaviour.kind === 'invalid') throw new StripeRefusal(402, { type: 'card_error', code: behaviour.code });
    const id = newId('pm');
    this.#methods.set(id, { card: cardOf(form), behaviour });
    return { id, object: 'payment_method', type: 'card' } satisfies Partial<Stripe.PaymentMethod>;
  }

  /** What Stripe's page in the browser does: a token that one confirmation may use. */
  createConfirmationToken(cardNumber: string): string {
    const token = newId('ctoken');
    this.#confirmationTokens.set(token, this.create({ card: { number: cardNumber } }).id);
    return token;
  }

  /** The id of the payment method that a confirmation token stands for; the token cannot be used again. */
  useConfirmationToken(token: string): string {
    const methodId = this.#confirmationTokens.get(token);
    if (methodId === undefined) throw invalidRequest('resource_missing', 400, 'confirmation_token');
    this.#confirmationTokens.delete(token);
    return methodId;
  }

  /** The payment method that a payment names; undefined where it names none of this account. */
  find(method: Stripe.PaymentIntent['payment_method']): StoredMethod | undefined {
    return typeof method === 'string' ? this.#methods.get(method) : undefined;
  }
}

function cardOf(form: Form): Card {
  const last4 = textAt(form, 'card', 'number')?.slice(-4) ?? null;
  const month = Number(textAt(form, 'card', 'exp_month') ?? 12);
  return { brand: 'visa', last4, exp_month: month, exp_year: Number(textAt(form, 'card', 'exp_year') ?? 2_039) };
}

import type Stripe from 'stripe';
import { type Form, recordAt, textAt } from './form.ts';
import { type Card, newId } from './objects.ts';
import { invalidRequest, StripeRefusal } from './refusals.ts';
import { behaviourOf, type CardBehaviour } from './test-cards.ts';

/** A card that was sent, and what it does. */
interface StoredMethod {
  readonly id: string;
  readonly card: Card;
  readonly behaviour: CardBehaviour;
  /** The customer that it is attached to; null for none. */
  readonly customer: string | null;
  /** A method that was detached can never be used again. */
  readonly isDetached: boolean;
}

/** A payment method as responses and events have it. */
export type ShownMethod = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'type' | 'customer'>;

/** The cards of one account in test mode, the customers they are attached to, and the confirmation tokens that stand for them. */
export class PaymentMethods {
  readonly #customers = new Map<string, Pick<Stripe.Customer, 'id' | 'object' | 'metadata'>>();
  readonly #methods = new Map<string, StoredMethod>();
  /** The payment methods of confirmation tokens that are not used yet. */
  readonly #confirmationTokens = new Map<string, string>();

  /** @throws StripeRefusal where no payment method can be made of the card */
  create(form: Form) {
    const behaviour = behaviourOf(textAt(form, 'card', 'number') ?? '');
    if (behaviour.kind === 'invalid') throw new StripeRefusal(402, { type: 'card_error', code: behaviour.code });
    const id = newId('pm');
    return this.#keep({ id, card: cardOf(form), behaviour, customer: null, isDetached: false });
  }

  createCustomer(form: Form) {
    const customer = { id: newId('cus'), object: 'customer', metadata: recordAt(form, 'metadata') } as const;
    this.#customers.set(customer.id, customer);
    return customer;
  }

  /** Oldest first. */
  customers(): readonly Pick<Stripe.Customer, 'id' | 'object' | 'metadata'>[] {
    return [...this.#customers.values()];
  }

  /** Somebody deletes a customer in the dashboard, and with it its cards. */
  deleteCustomer(id: string): void {
    this.#customers.delete(id);
    for (const method of this.attachedTo(id)) this.detach(method.id);
  }

  attachedTo(customer: string): readonly ShownMethod[] {
    return [...this.#methods.values()].filter((method) => method.customer === customer).map(shown);
  }

  /** @throws StripeRefusal where no such method exists */
  get(id: string): ShownMethod {
    return shown(this.#require(id, 404));
  }

  attach(id: string, customer: string): ShownMethod {
    return this.#keep({ ...this.#require(id, 404), customer });
  }

  /** @throws StripeRefusal where it is not attached */
  detach(id: string): ShownMethod {
    const method = this.#require(id, 404);
    if (method.customer === null)
      throw new StripeRefusal(400, { type: 'invalid_request_error', message: 'Not attached.' });
    return this.#keep({ ...method, customer: null, isDetached: true });
  }

  /** @throws StripeRefusal where a payment of the customer cannot be made with the method */
  requireUsable(methodId: string | undefined, customer: string | undefined): void {
    if (customer !== undefined && !this.#customers.has(customer))
      throw invalidRequest('resource_missing', 400, 'customer');
    if (methodId === undefined) return;
    const method = this.#require(methodId, 400, 'payment_method');
    const isOfAnother = method.customer !== null && method.customer !== customer;
    if (method.isDetached || isOfAnother)
      throw new StripeRefusal(400, { type: 'invalid_request_error', param: 'payment_method' });
  }

  #keep(method: StoredMethod): ShownMethod {
    this.#methods.set(method.id, method);
    return shown(method);
  }

  #require(id: string, status: number, param?: string): StoredMethod {
    const method = this.#methods.get(id);
    if (method === undefined) throw invalidRequest('resource_missing', status, param);
    return method;
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

function shown({ id, customer }: StoredMethod): ShownMethod {
  return { id, object: 'payment_method', type: 'card', customer };
}

function cardOf(form: Form): Card {
  const last4 = textAt(form, 'card', 'number')?.slice(-4) ?? null;
  const month = Number(textAt(form, 'card', 'exp_month') ?? 12);
  const year = Number(textAt(form, 'card', 'exp_year') ?? 2_039);
  const network = { network_transaction_id: null, transaction_link_id: null };
  return { brand: 'visa', last4, exp_month: month, exp_year: year, ...network };
}

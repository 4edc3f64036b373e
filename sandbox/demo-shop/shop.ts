import { z } from 'zod';
import {
  type CreatedIntent,
  type Engine,
  type Intent,
  type Payer,
  type SavedCard,
  ShopError,
  type Terms,
  TIMEOUT_MS,
} from './engine.ts';
import { type CreatedPayment, createOrders, ENDED_UNPAID, type Order } from './orders.ts';

export const METHODS = ['card', 'upi', 'crypto'] as const;
type Method = (typeof METHODS)[number];

export interface ShopOptions {
  readonly engine: Engine;
  /** Addresses of the sandbox providers by their names. */
  readonly simulators: readonly { readonly name: string; readonly url: string }[];
}

/** The payment of an order, for the page of its customer. */
interface OrderPayment {
  readonly id: string;
  readonly clientSecret: string;
  readonly method: Method;
  /** How long the customer may still pay; below 0 after that. */
  readonly expiresInMs: number;
}

/** A saved card, as the shop's page shows it. */
interface ShopCard {
  readonly id: string;
  readonly brand: string;
  readonly last4: string | null;
  /** Such as `12/2030`; null where it is not known. */
  readonly expires: string | null;
  /** Whether the shop may charge it without the customer. */
  readonly renews: boolean;
}

interface Receipt {
  readonly orderNumber: string;
  readonly article: string;
  /** In minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: string;
  /** The masked payment method. */
  readonly paidBy: Intent['paymentMethod'];
  readonly paymentId: string;
}

/**
 * The shop's orders and their payments. An order has one payment intent at a time: it gets another one only after the
 * last one has ended without money. So an order cannot be charged twice, however often its page is loaded.
 */
export interface Shop {
  /** Remembers an order that has no payment yet. */
  beginOrder(order: Order): void;
  /** The order's newest payment; null before the customer has paid for the first time. */
  readPayment(order: Order): Promise<OrderPayment | null>;
  /** The payment that the customer may confirm with that method now. If the payment is under way, as it is. */
  preparePayment(order: Order, method: Method, scenario: string | null): Promise<OrderPayment>;
  /** Cancels the payment, unless it has ended. */
  cancelPayment(order: Order): Promise<void>;
  isPaid(order: Order): Promise<boolean>;
  /** Whether the order's payment waits for its bank or its customer. */
  isUnderWay(order: Order): Promise<boolean>;
  readReceipt(order: Order): Promise<Receipt>;
  readTimeline(order: Order): ReturnType<Engine['readTimeline']>;
  /** Decides at the sandbox provider what the payment waits for. */
  settle(order: Order, outcome: 'approved' | 'declined'): Promise<void>;
  /** The cards that a customer has saved, the preferred one and the latest first; none for a visitor without an account. */
  readSavedCards(customer: string | null): Promise<readonly ShopCard[]>;
  /** Removes a saved card of that customer. */
  removeSavedCard(customer: string | null, id: string): Promise<void>;
  /** The id of the card that the shop may charge while the customer is away. @throws ShopError where there is none */
  cardToRenew(customer: string | null): Promise<string>;
  /** Charges that card for a new order. Whether the bank pays, the order's payment says. */
  renew(order: Order, savedCardId: string): Promise<void>;
  readSdk: Engine['readSdk'];
}

const UNDER_WAY: readonly string[] = ['processing', 'requires_action'];
const ARTICLE = 'Reading lamp, brass';
/** The server decides the price, whatever the browser sends. */
const PRICES: Readonly<Record<Method, Omit<Terms, 'metadata'>>> = {
  card: { amount: 4_900, currency: 'EUR', country: 'DE' },
  upi: { amount: 450_000, currency: 'INR', country: 'IN' },
  crypto: { amount: 4_900, currency: 'EUR', country: 'DE' },
};

/** Sells one article, whose price depends on the payment method. */
export function createShop({ engine, simulators }: ShopOptions): Shop {
  /** The terms are the same at each call, so that a repeat after a restart finds the same intent. */
  const create = async ({ number, customer }: Order, paymentCount: number): Promise<CreatedIntent> => {
    const terms = { ...termsOf(number, 'card', null), description: ARTICLE };
    const payer = customer === null ? {} : payerOf(await customerOf(customer));
    return engine.create(`${number}-${paymentCount}`, { ...terms, ...payer });
  };
  const customerOf = async (customer: string): Promise<string> =>
    (await engine.findCustomer(customer)) ?? (await engine.createCustomer(customer));
  const cardsOf = async (customer: string | null): Promise<readonly SavedCard[]> => {
    const id = customer === null ? undefined : await engine.findCustomer(customer);
    const cards = id === undefined ? [] : await engine.readSavedCards(id);
    return cards.toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));
  };
  const { beginOrder, inTurn, newestPayment } = createOrders({ create, read: (id) => engine.read(id) });

  const statusOf = (order: Order): Promise<string | undefined> =>
    inTurn(order, async (payments) => {
      const payment = payments.at(-1);
      return payment === undefined ? undefined : (await engine.read(payment.id)).status;
    });

  return {
    beginOrder,
    readPayment: (order) =>
      inTurn(order, async (payments) => {
        const payment = payments.at(-1);
        return payment === undefined ? null : presentPayment(payment, await engine.read(payment.id));
      }),
    preparePayment: (order, method, scenario) =>
      inTurn(order, async (payments) => {
        const last = payments.at(-1);
        const current = last === undefined ? null : { ...last, ...(await engine.read(last.id)) };
        const isNew = current === null || ENDED_UNPAID.includes(current.status);
        const payment = isNew ? await create(order, payments.length + 1) : current;
        if (isNew) payments.push(payment);
        const terms = termsOf(order.number, method, scenario);
        const isOpen = payment.status === 'requires_payment_method';
        if (!isOpen || hasTerms(payment, terms)) return presentPayment(payment, payment);
        await engine.update(payment.id, terms);
        return { ...presentPayment(payment, payment), method };
      }),
    cancelPayment: async (order) => engine.cancel((await newestPayment(order)).id),
    isPaid: async (order) => (await statusOf(order)) === 'succeeded',
    isUnderWay: async (order) => UNDER_WAY.includes((await statusOf(order)) ?? ''),
    async readReceipt(order) {
      const { id } = await newestPayment(order);
      const [{ paymentMethod }, capture] = await Promise.all([engine.read(id), engine.readCapture(id)]);
      if (capture === undefined) throw new ShopError(409, 'This order is not paid yet.');
      const { amount, currency, createdAt: paidAt } = capture;
      return {
        orderNumber: order.number,
        article: ARTICLE,
        amount,
        currency,
        paidAt,
        paidBy: paymentMethod,
        paymentId: id,
      };
    },
    readTimeline: async (order) => engine.readTimeline((await newestPayment(order)).id),
    async settle(order, outcome) {
      const { id } = await newestPayment(order);
      const { attempts } = await engine.read(id);
      const simulator = simulators.find(({ name }) => name === attempts.at(-1)?.provider);
      if (simulator === undefined) throw new ShopError(409, 'This payment does not wait at a provider of the sandbox.');
      const response = await fetch(`${simulator.url}/simulate/settle`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ paymentIntentId: id, outcome }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new ShopError(409, 'The payment does not wait for that any more.');
    },
    readSavedCards: async (customer) => (await cardsOf(customer)).map(presentCard),
    async removeSavedCard(customer, id) {
      const isOwn = (await cardsOf(customer)).some((card) => card.id === id);
      if (!isOwn) throw new ShopError(404, 'This card is not saved any more.');
      await engine.removeSavedCard(id);
    },
    async cardToRenew(customer) {
      const card = (await cardsOf(customer)).find(({ usage }) => usage === 'off_session');
      if (card === undefined) throw new ShopError(409, 'No card is saved that the shop may charge without you.');
      return card.id;
    },
    async renew(order, savedCardId) {
      await inTurn(order, async (payments) => {
        const payment = await create(order, payments.length + 1);
        payments.push(payment);
        await engine.renew(payment.id, savedCardId);
      });
    },
    readSdk: engine.readSdk,
  };
}

function payerOf(customerId: string): Payer {
  return { customerId, allowSavedPaymentMethods: true, setupFutureUsage: 'off_session' };
}

function presentCard({ id, paymentMethod, usage }: SavedCard): ShopCard {
  const { brand, last4, expiryMonth, expiryYear } = paymentMethod;
  const expires = expiryMonth === null ? null : `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return { id, brand, last4, expires, renews: usage === 'off_session' };
}

function termsOf(order: string, method: Method, scenario: string | null): Terms {
  return { ...PRICES[method], metadata: { order, method, ...(scenario === null ? {} : { scenario }) } };
}

/** The method and its scenario decide all terms. */
function hasTerms({ metadata }: Intent, terms: Terms): boolean {
  return metadata.method === terms.metadata.method && metadata.scenario === terms.metadata.scenario;
}

function presentPayment({ id, clientSecret }: CreatedPayment, { metadata, expiresAt }: Intent): OrderPayment {
  const method = z.enum(METHODS).catch('card').parse(metadata.method);
  return { id, clientSecret, method, expiresInMs: expiresAt === null ? 0 : Date.parse(expiresAt) - Date.now() };
}

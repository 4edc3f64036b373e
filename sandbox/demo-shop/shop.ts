import { z } from 'zod';
import { type CreatedIntent, type Engine, type Intent, ShopError, type Terms, TIMEOUT_MS } from './engine.ts';
import { type CreatedPayment, createOrders, ENDED_UNPAID } from './orders.ts';

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
  beginOrder(orderNumber: string): void;
  /** The order's newest payment; null before the customer has paid for the first time. */
  readPayment(orderNumber: string): Promise<OrderPayment | null>;
  /** The payment that the customer may confirm with that method now. If the payment is under way, as it is. */
  preparePayment(orderNumber: string, method: Method, scenario: string | null): Promise<OrderPayment>;
  /** Cancels the payment, unless it has ended. */
  cancelPayment(orderNumber: string): Promise<void>;
  isPaid(orderNumber: string): Promise<boolean>;
  readReceipt(orderNumber: string): Promise<Receipt>;
  readTimeline(orderNumber: string): ReturnType<Engine['readTimeline']>;
  /** Decides at the sandbox provider what the payment waits for. */
  settle(orderNumber: string, outcome: 'approved' | 'declined'): Promise<void>;
  readSdk: Engine['readSdk'];
}

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
  const create = (orderNumber: string, paymentCount: number): Promise<CreatedIntent> =>
    engine.create(`${orderNumber}-${paymentCount}`, { ...termsOf(orderNumber, 'card', null), description: ARTICLE });
  const { beginOrder, inTurn, newestPayment } = createOrders({ create, read: (id) => engine.read(id) });

  return {
    beginOrder,
    readPayment: (orderNumber) =>
      inTurn(orderNumber, async (payments) => {
        const payment = payments.at(-1);
        return payment === undefined ? null : presentPayment(payment, await engine.read(payment.id));
      }),
    preparePayment: (orderNumber, method, scenario) =>
      inTurn(orderNumber, async (payments) => {
        const last = payments.at(-1);
        const current = last === undefined ? null : { ...last, ...(await engine.read(last.id)) };
        const isNew = current === null || ENDED_UNPAID.includes(current.status);
        const payment = isNew ? await create(orderNumber, payments.length + 1) : current;
        if (isNew) payments.push(payment);
        const terms = termsOf(orderNumber, method, scenario);
        const isOpen = payment.status === 'requires_payment_method';
        if (!isOpen || hasTerms(payment, terms)) return presentPayment(payment, payment);
        await engine.update(payment.id, terms);
        return { ...presentPayment(payment, payment), method };
      }),
    cancelPayment: async (orderNumber) => engine.cancel((await newestPayment(orderNumber)).id),
    isPaid: (orderNumber) =>
      inTurn(orderNumber, async (payments) => {
        const payment = payments.at(-1);
        return payment !== undefined && (await engine.read(payment.id)).status === 'succeeded';
      }),
    async readReceipt(orderNumber) {
      const { id } = await newestPayment(orderNumber);
      const [{ paymentMethod }, capture] = await Promise.all([engine.read(id), engine.readCapture(id)]);
      if (capture === undefined) throw new ShopError(409, 'This order is not paid yet.');
      const { amount, currency, createdAt: paidAt } = capture;
      return { orderNumber, article: ARTICLE, amount, currency, paidAt, paidBy: paymentMethod, paymentId: id };
    },
    readTimeline: async (orderNumber) => engine.readTimeline((await newestPayment(orderNumber)).id),
    async settle(orderNumber, outcome) {
      const { id } = await newestPayment(orderNumber);
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
    readSdk: engine.readSdk,
  };
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

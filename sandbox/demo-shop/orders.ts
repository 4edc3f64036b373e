import { type CreatedIntent, type Engine, ShopError } from './engine.ts';

/** An order, and who ordered. */
export interface Order {
  readonly number: string;
  /** The number of the customer at the shop; null where the visitor has no account. */
  readonly customer: string | null;
}

/** A payment that the shop has created. */
export type CreatedPayment = Pick<CreatedIntent, 'id' | 'clientSecret'>;

interface OrderRecord {
  /** Oldest first; null if they have to be recovered. */
  payments: CreatedPayment[] | null;
  /** The end of the last call for this order; calls for one order run one after the other. */
  lastCall: Promise<unknown>;
  /** Those that have begun, or wait for their turn. */
  callsUnderWay: number;
}

/** The orders that the shop remembers, with their payments. */
interface Orders {
  /** Remembers an order that has no payment yet. */
  beginOrder(order: Order): void;
  /** Calls with the payments of an order, oldest first, once the calls before have ended. The call may add a payment. */
  inTurn<Result>(order: Order, call: (payments: CreatedPayment[]) => Promise<Result>): Promise<Result>;
  /** @throws ShopError where the order has no payment */
  newestPayment(order: Order): Promise<CreatedPayment>;
}

interface OrdersOptions {
  /** Creates the payment of an order with that number, counted from 1; a repeat finds it. */
  readonly create: (order: Order, paymentCount: number) => Promise<CreatedIntent>;
  readonly read: Engine['read'];
}

/** So many orders are remembered, and those with a call under way; the payments of older ones are recovered when they are asked for. */
const MAXIMUM_ORDERS = 1_000;
/** The states in which a payment has ended and nothing was charged. */
export const ENDED_UNPAID: readonly string[] = ['failed', 'canceled', 'expired'];

/** No orders at first; those of an earlier process are recovered when they are asked for. */
export function createOrders({ create, read }: OrdersOptions): Orders {
  const orders = new Map<string, OrderRecord>();

  const remember = (orderNumber: string, payments: CreatedPayment[] | null): OrderRecord => {
    forgetOldest();
    const record = { payments, lastCall: Promise.resolve(), callsUnderWay: 0 };
    orders.set(orderNumber, record);
    return record;
  };

  /** Makes room for one order. One with a call under way stays, so that the next call for it waits for that one. */
  const forgetOldest = (): void => {
    for (const [orderNumber, { callsUnderWay }] of orders) {
      if (orders.size < MAXIMUM_ORDERS) return;
      if (callsUnderWay === 0) orders.delete(orderNumber);
    }
  };

  /** Finds the payments that an earlier process of the shop has created: the engine remembers their idempotency keys. */
  const recover = async (order: Order): Promise<CreatedPayment[]> => {
    const payments: CreatedPayment[] = [];
    for (;;) {
      const payment = await create(order, payments.length + 1);
      payments.push(payment);
      const { status } = await read(payment.id);
      if (!ENDED_UNPAID.includes(status)) return payments;
    }
  };

  const inTurn = <Result>(order: Order, call: (payments: CreatedPayment[]) => Promise<Result>): Promise<Result> => {
    const record = orders.get(order.number) ?? remember(order.number, null);
    record.callsUnderWay += 1;
    const result = record.lastCall
      .then(async () => {
        const payments = record.payments ?? (await recover(order));
        record.payments = payments;
        return await call(payments);
      })
      .finally(() => (record.callsUnderWay -= 1));
    record.lastCall = result.catch(() => undefined);
    return result;
  };

  const newestPayment = async (order: Order): Promise<CreatedPayment> => {
    const payment = await inTurn(order, (payments) => Promise.resolve(payments.at(-1)));
    if (payment === undefined) throw new ShopError(404, 'This order has no payment yet.');
    return payment;
  };

  return { beginOrder: (order) => void remember(order.number, []), inTurn, newestPayment };
}

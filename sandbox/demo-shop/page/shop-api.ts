import type { Method } from './test-inputs.ts';

/** The visitor's order. */
export interface Order {
  readonly number: string;
  /** The API's address for browsers. */
  readonly apiUrl: string;
  /** Null before the customer has paid for the first time. */
  readonly payment: OrderPayment | null;
  /** The cards that the customer has saved at the shop. */
  readonly savedCards: readonly ShopCard[];
}

/** A saved card. */
export interface ShopCard {
  readonly id: string;
  readonly brand: string;
  readonly last4: string | null;
  /** Such as `12/2030`; null where it is not known. */
  readonly expires: string | null;
  /** Whether the shop may charge it without the customer. */
  readonly renews: boolean;
}

/** The payment that the shop's server has created for the order. */
export interface OrderPayment {
  readonly id: string;
  readonly clientSecret: string;
  readonly method: Method;
  /** How long the customer may still pay; below 0 after that. */
  readonly expiresInMs: number;
}

export interface Receipt {
  readonly orderNumber: string;
  readonly article: string;
  /** In minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: string;
  /** The masked payment method. */
  readonly paidBy: Readonly<Record<string, unknown>> | null;
  readonly paymentId: string;
}

export interface TimelineLine {
  readonly at: string;
  readonly summary: string;
}

/** The order of this visitor, whom the shop knows by a cookie. @throws Error with a sentence for the customer */
export function readOrder(): Promise<Order> {
  return ask<Order>('GET', '/demo/order');
}

/** The next order, if this one is paid. @throws Error with a sentence for the customer */
export function readNextOrder(): Promise<Order> {
  return ask<Order>('POST', '/demo/order/next', {});
}

/** Has the shop charge a saved card for another order, as if the customer were away. @throws Error with a sentence for the customer */
export function renew(): Promise<Order> {
  return ask<Order>('POST', '/demo/renewals', {});
}

/** Removes a saved card; returns the others. @throws Error with a sentence for the customer */
export function removeSavedCard(id: string): Promise<readonly ShopCard[]> {
  return ask<readonly ShopCard[]>('DELETE', `/demo/saved-cards/${id}`);
}

/** Asks the shop's server for the order's payment, to be paid by that method. @throws Error with a sentence for the customer */
export function preparePayment(orderNumber: string, method: Method, scenario: string | null): Promise<OrderPayment> {
  const body = { method, ...(scenario === null ? {} : { scenario }) };
  return ask<OrderPayment>('PUT', `/demo/orders/${orderNumber}/payment`, body);
}

/** Cancels the order's payment, unless it has ended. @throws Error with a sentence for the customer */
export function cancelPayment(orderNumber: string): Promise<object> {
  return ask<object>('POST', `/demo/orders/${orderNumber}/cancel`, {});
}

/** The receipt of a paid order. @throws Error with a sentence for the customer */
export function readReceipt(orderNumber: string): Promise<Receipt> {
  return ask<Receipt>('GET', `/demo/orders/${orderNumber}/receipt`);
}

/** What the customer's app or the provider would do: only the sandbox can. @throws Error */
export function settle(orderNumber: string, outcome: 'approved' | 'declined'): Promise<object> {
  return ask<object>('POST', `/demo/orders/${orderNumber}/settle`, { outcome });
}

/** What the engine did for the order's payment, oldest first. @throws Error */
export function readTimeline(orderNumber: string): Promise<readonly TimelineLine[]> {
  return ask<readonly TimelineLine[]>('GET', `/demo/orders/${orderNumber}/timeline`);
}

async function ask<Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  }).catch(() => null);
  if (response === null) throw new Error('The shop cannot be reached. Please try again.');
  const answer = (await response.json()) as { readonly data: Answer; readonly message?: string };
  if (!response.ok) throw new Error(answer.message ?? 'The shop has a problem. Please try again.');
  return answer.data;
}

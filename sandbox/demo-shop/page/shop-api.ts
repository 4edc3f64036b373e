import type { Method } from './test-inputs.ts';

/** A payment that the shop's server has made for this page. */
export interface ShopPayment {
  readonly id: string;
  readonly clientSecret: string;
  /** The API's address for browsers. */
  readonly apiUrl: string;
}

export interface TimelineLine {
  readonly at: string;
  readonly summary: string;
}

/** Asks the shop's server for a payment of the order by that method. @throws Error with a sentence for the customer */
export function createPayment(method: Method, scenario: string | null): Promise<ShopPayment> {
  return ask<ShopPayment>('POST', '/demo/payments', { method, ...(scenario === null ? {} : { scenario }) });
}

/** What the customer's app or the provider would do: only the sandbox can. @throws Error */
export function settle(paymentId: string, outcome: 'approved' | 'declined'): Promise<object> {
  return ask<object>('POST', `/demo/payments/${paymentId}/settle`, { outcome });
}

/** What the engine did for a payment, oldest first. @throws Error */
export function readTimeline(paymentId: string): Promise<readonly TimelineLine[]> {
  return ask<readonly TimelineLine[]>('GET', `/demo/payments/${paymentId}/timeline`);
}

async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  if (response === null) throw new Error('The shop cannot be reached. Please try again.');
  const answer = (await response.json()) as { readonly data: Answer; readonly message?: string };
  if (!response.ok) throw new Error(answer.message ?? 'The shop has a problem. Please try again.');
  return answer.data;
}

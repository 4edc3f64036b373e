import type { ApiProcess } from '../api-process.ts';
import { intentOf } from '../envelopes.ts';
import { setFaults } from '../ledger.ts';
import type { TestMerchant } from '../merchants.ts';
import { createPayment, type Payment } from '../payments.ts';
import { card } from '../../../sandbox/test-payment-methods.ts';
import { type Answer, request } from '../signed-request.ts';

export const CUSTOMERS = '/api/v1/customers';
export const REFUNDS = '/api/v1/refunds';
export const TRANSACTIONS = '/api/v1/transactions';
export const MANUAL = { captureMethod: 'manual' };

type Headers = Readonly<Record<string, string>>;

/** A request that returns an error code, and its description. */
export interface ErrorRequest {
  readonly request: string;
  readonly send: (context: RequestContext) => Promise<Answer>;
  /** Whether it injects faults, so that no other request may run concurrently. */
  readonly alone?: true;
}

/** The merchants and payments that the requests use. */
export interface ContextParts {
  readonly merchant: TestMerchant;
  /** Routes of this merchant lead to `alpha` only. */
  readonly merchantOfOneProvider: TestMerchant;
  readonly apiWithoutTemporal: ApiProcess;
  /** A payment whose provider reports no outcome. */
  readonly stuck: Payment;
}

export interface RequestContext extends ContextParts {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body: object, headers?: Headers): Promise<Answer>;
  createPayment(terms?: object): Promise<Payment>;
  /** The answer to the confirm of a new payment. */
  confirmed(method: object, terms?: object, by?: TestMerchant): Promise<Answer>;
  /** A payment that is confirmed, by an approved card where nothing else is given. */
  paid(terms?: object, method?: object): Promise<Payment>;
}

export function createRequestContext(props: ContextParts): RequestContext {
  const { credentials } = props.merchant;
  return {
    ...props,
    get: (path, headers = {}) => request({ method: 'GET', path, headers }, credentials),
    post: (path, body, headers = {}) => request({ method: 'POST', path, body, headers }, credentials),
    createPayment: (terms = {}) => createPayment(terms, credentials),
    confirmed: async (method, terms = {}, by = props.merchant) =>
      (await createPayment(terms, by.credentials)).confirm(method),
    paid: async (terms = {}, method = card('approved')) => {
      const payment = await createPayment(terms, credentials);
      intentOf(await payment.confirm(method));
      return payment;
    },
  };
}

/** Sends a request while `alpha` has faults. */
export async function withFaults(
  faults: Parameters<typeof setFaults>[1],
  send: () => Promise<Answer>,
): Promise<Answer> {
  await setFaults('alpha', faults);
  try {
    return await send();
  } finally {
    await setFaults('alpha', {});
  }
}

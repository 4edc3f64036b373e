import type { Credentials } from '../../sandbox/signed-request.ts';
import { createClient } from '../../sdk/server/index.ts';
import { asCreatedIntent, asIntent, type CreatedIntent, type Intent } from './envelopes.ts';
import { eventually } from './eventually.ts';
import { PRIVATE_TEXT } from './private-text.ts';
import { type Answer, request } from './signed-request.ts';
import { getStack } from './stack.ts';

export const INTENTS = '/api/v1/payment-intents';
export const PREFER_ASYNC = { Prefer: 'respond-async' } as const;

/** A payment as its merchant handles it over REST. */
export interface Payment {
  readonly id: string;
  readonly created: CreatedIntent;
  read(): Promise<Intent>;
  /** Reads until the payment is in that state. */
  reach(status: Intent['status']): Promise<Intent>;
  confirm(paymentMethod: object | null, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  cancel(headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Creates an intent: 19.99 USD unless other terms are given. */
export async function createPayment(terms: object = {}, credentials?: Credentials): Promise<Payment> {
  const body = { amount: 1_999, currency: 'USD', country: 'DE', ...PRIVATE_TEXT, ...terms };
  const { paymentIntents } = createClient(credentials ?? getStack().sandbox);
  const created = asCreatedIntent(await paymentIntents.create(body));
  const path = `${INTENTS}/${created.id}`;
  const read = async (): Promise<Intent> => asIntent(await paymentIntents.get(created.id));
  return {
    id: created.id,
    created,
    read,
    reach: (status) =>
      eventually(async () => {
        const intent = await read();
        if (intent.status !== status) throw new Error(`${intent.id} is ${intent.status}, not ${status}`);
        return intent;
      }),
    confirm: (paymentMethod, headers = {}) => {
      const confirmBody = paymentMethod === null ? {} : { paymentMethod };
      return request({ method: 'POST', path: `${path}/confirm`, body: confirmBody, headers }, credentials);
    },
    cancel: (headers = {}) => request({ method: 'POST', path: `${path}/cancel`, body: {}, headers }, credentials),
  };
}

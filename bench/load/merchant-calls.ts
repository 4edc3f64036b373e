import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { createProviderHttp } from '../../providers/provider-http.ts';
import { signedHeaders } from '../../sdk/server/sign.ts';

/** The address of the API, and a merchant's credentials. */
export const merchantSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  secretSalt: z.string(),
  /** Of the payments; default USD. */
  currency: z.string().optional(),
});
const createdSchema = z.object({ data: z.object({ id: z.string() }) });
const confirmedSchema = z.object({ data: z.object({ status: z.literal('succeeded') }) });

/** The refusal of a request for which nothing was done; a confirm whose outcome is not known has details. */
const refusedSchema = z.object({
  error: z.object({ code: z.literal('SERVICE_UNAVAILABLE'), details: z.null().optional() }),
});

const PATH = '/api/v1/payment-intents';
const TIMEOUT_MS = 60 * SECOND_MS;
const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' };
const INTENT = { amount: 1999, currency: 'USD', description: 'A payment of a benchmark' };
const METHOD = { paymentMethod: { type: 'card', card: CARD } };
const CONFIRM = JSON.stringify(METHOD);

export interface MerchantCalls {
  /** @returns the id of a new intent */
  create(): Promise<string>;
  /** Confirms it with a card that is approved. @throws Error when the payment did not succeed */
  confirm(id: string): Promise<void>;
  /** Creates and confirms in one request, where it is not refused. @throws Error when the payment did not succeed */
  pay(): Promise<'paid' | 'refused'>;
}

/** Sends the signed requests of a merchant's server over kept-alive connections. */
export function createMerchantCalls({
  currency = INTENT.currency,
  ...credentials
}: z.infer<typeof merchantSchema>): MerchantCalls {
  const intent = { ...INTENT, currency };
  const newIntent = JSON.stringify(intent);
  const newPayment = JSON.stringify({ ...intent, ...METHOD, confirm: true });
  const http = createProviderHttp(credentials.baseUrl, TIMEOUT_MS);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const send = (path: string, body: string) =>
    http.post(path, { ...signedHeaders(credentials, body), 'X-Idempotency-Key': randomUUID() }, body, signal);
  const post = async (path: string, body: string, status: number): Promise<unknown> => {
    const answer = await send(path, body);
    if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text);
  };
  return {
    create: async () => createdSchema.parse(await post(PATH, newIntent, 201)).data.id,
    async pay() {
      const { status, text } = await send(PATH, newPayment);
      if (status === 503 && refusedSchema.safeParse(JSON.parse(text)).success) return 'refused';
      if (status !== 201) throw new Error(`${PATH} was answered with ${status}: ${text}`);
      confirmedSchema.parse(JSON.parse(text));
      return 'paid';
    },
    confirm: async (id) => void confirmedSchema.parse(await post(`${PATH}/${id}/confirm`, CONFIRM, 200)),
  };
}

import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { type Credentials, sendSigned, type SignedRequest } from '../signed-request.ts';

export const METHODS = ['card', 'upi', 'crypto'] as const;
type Method = (typeof METHODS)[number];

/** An error message for the customer, with its HTTP status. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface ShopOptions {
  readonly credentials: Credentials;
  /** Addresses of the sandbox providers by their names. */
  readonly simulators: readonly { readonly name: string; readonly url: string }[];
}

/** What the shop's server does with its API key; the browser has no part in it. */
export interface Shop {
  createPayment(
    method: Method,
    scenario: string | null,
  ): Promise<{ readonly id: string; readonly clientSecret: string }>;
  readTimeline(paymentId: string): Promise<readonly { readonly at: string; readonly summary: string }[]>;
  /** Decides at the sandbox provider what a payment waits for. */
  settle(paymentId: string, outcome: 'approved' | 'declined'): Promise<void>;
  readSdk(): Promise<SdkFile>;
}

/** The checkout SDK as the API serves it now. */
export interface SdkFile {
  /** Path on the API. */
  readonly fixed: string;
  readonly integrity: string;
}

/** The server decides the price, whatever the browser sends. */
const PRICES: Readonly<
  Record<Method, { readonly amount: number; readonly currency: string; readonly country: string }>
> = {
  card: { amount: 4_900, currency: 'EUR', country: 'DE' },
  upi: { amount: 450_000, currency: 'INR', country: 'IN' },
  crypto: { amount: 4_900, currency: 'EUR', country: 'DE' },
};
/** So many of the shop's own payments are remembered; it answers for no others. */
const MAXIMUM_PAYMENTS = 1_000;
const TIMEOUT_MS = 15 * SECOND_MS;
const SERVICE_AWAY = 503;

const created = z.object({ id: z.string(), clientSecret: z.string() });
const timeline = z.array(z.object({ at: z.string(), summary: z.string() }));
const attempted = z.object({ attempts: z.array(z.object({ provider: z.string() })) });
const sdkFile = z.object({ fixed: z.string(), integrity: z.string() });

export function createShop({ credentials, simulators }: ShopOptions): Shop {
  const payments = new Set<string>();

  const ask = async <Schema extends z.ZodType>(request: SignedRequest, schema: Schema): Promise<z.output<Schema>> => {
    const response = await sendSigned(credentials, { timeoutMs: TIMEOUT_MS, ...request });
    if (!response.ok) throw new ShopError(SERVICE_AWAY, await reasonOf(response));
    return schema.parse(z.object({ data: z.unknown() }).parse(await response.json()).data);
  };
  const pathOf = (paymentId: string): string => {
    if (!payments.has(paymentId)) throw new ShopError(404, 'The shop does not know this payment.');
    return `/api/v1/payment-intents/${paymentId}`;
  };

  return {
    async createPayment(method, scenario) {
      const body = {
        ...PRICES[method],
        description: 'Reading lamp, brass',
        ...(scenario === null ? {} : { metadata: { scenario } }),
      };
      const { id, clientSecret } = await ask({ method: 'POST', path: '/api/v1/payment-intents', body }, created);
      payments.add(id);
      for (const oldest of payments) if (payments.size > MAXIMUM_PAYMENTS) payments.delete(oldest);
      return { id, clientSecret };
    },
    readTimeline: async (paymentId) => ask({ method: 'GET', path: `${pathOf(paymentId)}/timeline` }, timeline),
    async settle(paymentId, outcome) {
      const { attempts } = await ask({ method: 'GET', path: pathOf(paymentId) }, attempted);
      const simulator = simulators.find(({ name }) => name === attempts.at(-1)?.provider);
      if (simulator === undefined) throw new ShopError(409, 'This payment does not wait at a provider of the sandbox.');
      const response = await fetch(`${simulator.url}/simulate/settle`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ paymentIntentId: paymentId, outcome }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new ShopError(409, 'The payment does not wait for that any more.');
    },
    async readSdk() {
      const response = await fetch(`${credentials.baseUrl}/sdk/checkout/v1/integrity.json`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return z.object({ data: sdkFile }).parse(await response.json()).data;
    },
  };
}

async function reasonOf(response: Response): Promise<string> {
  const failure = z
    .object({ error: z.object({ message: z.string() }) })
    .safeParse(await response.json().catch(() => null));
  return failure.success ? failure.data.error.message : 'The payment engine has a problem.';
}

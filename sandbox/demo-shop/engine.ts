import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { type Credentials, sendSigned, type SignedRequest } from '../signed-request.ts';

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

const SERVICE_AWAY = 503;
const CONFLICT = 409;
/** A renewal that a bank declines is a result, which the payment has. */
const DECLINED = 400;
export const TIMEOUT_MS = 15 * SECOND_MS;
const SAVED_PATH = '/api/v1/payment-methods';
/** Longer than the engine waits for the outcome of a cancel or a confirm. */
const OUTCOME_TIMEOUT_MS = 30 * SECOND_MS;

const intent = z.object({
  id: z.string(),
  status: z.string(),
  metadata: z.record(z.string(), z.string()),
  paymentMethod: z.looseObject({ type: z.string() }).nullable(),
  attempts: z.array(z.object({ provider: z.string() })),
  expiresAt: z.string().nullable(),
});
const createdIntent = intent.extend({ clientSecret: z.string() });
const timeline = z.array(z.object({ at: z.string(), summary: z.string() }));
const transactions = z.array(z.object({ amount: z.number(), currency: z.string(), createdAt: z.string() }));

const savedCard = z.object({
  id: z.string(),
  paymentMethod: z.object({
    brand: z.string(),
    last4: z.string().nullable(),
    expiryMonth: z.number().nullable(),
    expiryYear: z.number().nullable(),
  }),
  usage: z.string(),
  isDefault: z.boolean(),
});
const identified = z.object({ id: z.string() });

/** A saved card of a customer, masked. */
export type SavedCard = z.infer<typeof savedCard>;

const sdkFile = z.object({ fixed: z.string(), integrity: z.string() });

/** The checkout SDK as the API serves it now: its path on the API, and its hash. */
export type SdkFile = z.infer<typeof sdkFile>;

/** What the shop reads of a payment intent. */
export type Intent = z.infer<typeof intent>;
export type CreatedIntent = z.infer<typeof createdIntent>;

/** What is to be paid, in minor units of the currency. */
export interface Terms {
  readonly amount: number;
  readonly currency: string;
  readonly country: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Whose cards a payment may save, and use: the shop knows the customer by a cookie. */
export interface Payer {
  readonly customerId: string;
  readonly allowSavedPaymentMethods: true;
  readonly setupFutureUsage: 'off_session';
}

/** The engine's operations that the shop uses. Each throws `ShopError` if the engine refuses. */
export interface Engine {
  /** Creates an intent, once: a repeat with the same key and terms returns what the first call returned. */
  create(
    idempotencyKey: string,
    terms: Terms & Partial<Payer> & { readonly description: string },
  ): Promise<CreatedIntent>;
  read(id: string): Promise<Intent>;
  /** Changes what is to be paid, unless the payment is under way or has ended. */
  update(id: string, terms: Terms): Promise<void>;
  /** Cancels the payment, unless it has ended. */
  cancel(id: string): Promise<void>;
  readTimeline(id: string): Promise<z.infer<typeof timeline>>;
  /** The capture of a payment; undefined if it has none. */
  readCapture(id: string): Promise<z.infer<typeof transactions>[number] | undefined>;
  /** The id of the customer with that reference; undefined where there is none. */
  findCustomer(reference: string): Promise<string | undefined>;
  /** Makes the customer, once; returns the id. */
  createCustomer(reference: string): Promise<string>;
  /** The active saved cards of a customer, the latest first. */
  readSavedCards(customerId: string): Promise<readonly SavedCard[]>;
  removeSavedCard(id: string): Promise<void>;
  /** Charges a saved card without its customer; whether that was paid, the payment says. */
  renew(paymentIntentId: string, savedCardId: string): Promise<void>;
  readSdk(): Promise<SdkFile>;
}

export function createEngine(credentials: Credentials): Engine {
  const send = async (request: SignedRequest, ...tolerated: readonly number[]): Promise<Response> => {
    const response = await sendSigned(credentials, { timeoutMs: TIMEOUT_MS, ...request });
    if (!response.ok && !tolerated.includes(response.status))
      throw new ShopError(SERVICE_AWAY, await reasonOf(response));
    return response;
  };
  const ask = async <Schema extends z.ZodType>(request: SignedRequest, schema: Schema): Promise<z.output<Schema>> =>
    schema.parse(z.object({ data: z.unknown() }).parse(await (await send(request)).json()).data);
  const pathOf = (id: string): string => `/api/v1/payment-intents/${id}`;

  return {
    create: (idempotencyKey, body) =>
      ask(
        { method: 'POST', path: '/api/v1/payment-intents', body, headers: { 'X-Idempotency-Key': idempotencyKey } },
        createdIntent,
      ),
    read: (id) => ask({ method: 'GET', path: pathOf(id) }, intent),
    async update(id, body) {
      await send({ method: 'PATCH', path: pathOf(id), body }, CONFLICT);
    },
    async cancel(id) {
      const request = {
        method: 'POST',
        path: `${pathOf(id)}/cancel`,
        body: {},
        timeoutMs: OUTCOME_TIMEOUT_MS,
      } as const;
      await send(request, CONFLICT);
    },
    readTimeline: (id) => ask({ method: 'GET', path: `${pathOf(id)}/timeline` }, timeline),
    async readCapture(id) {
      const [capture] = await ask(
        { method: 'GET', path: `/api/v1/transactions?type=capture&paymentIntentId=${id}` },
        transactions,
      );
      return capture;
    },
    async findCustomer(reference) {
      const path = `/api/v1/customers?limit=1&reference=${reference}`;
      const [found] = await ask({ method: 'GET', path }, z.array(identified));
      return found?.id;
    },
    async createCustomer(reference) {
      const headers = { 'X-Idempotency-Key': reference };
      return (await ask({ method: 'POST', path: '/api/v1/customers', body: { reference }, headers }, identified)).id;
    },
    readSavedCards: (customerId) =>
      ask({ method: 'GET', path: `${SAVED_PATH}?status=active&limit=50&customerId=${customerId}` }, z.array(savedCard)),
    async removeSavedCard(id) {
      await send({ method: 'DELETE', path: `${SAVED_PATH}/${id}` });
    },
    async renew(id, paymentMethodId) {
      const body = { paymentMethodId, offSession: 'recurring' };
      const headers = { 'X-Idempotency-Key': `renewal-${id}` };
      await send(
        { method: 'POST', path: `${pathOf(id)}/confirm`, body, headers, timeoutMs: OUTCOME_TIMEOUT_MS },
        DECLINED,
        CONFLICT,
      );
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

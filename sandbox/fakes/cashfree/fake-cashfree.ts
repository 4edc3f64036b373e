import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { SignedWebhook } from '../edge.ts';
import { type FakeServerOptions, serveFake } from '../serve-fake.ts';
import { CashfreeLedger, type LedgerEvent, type OrderTreatment } from './ledger.ts';
import { LedgerRefusal, refusal } from './refusal.ts';
import { signWebhook, webhookBodyOf } from './webhooks.ts';

export interface FakeCashfreeOptions extends FakeServerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether card payments are held first. */
  readonly preauthorization?: boolean;
  /** Where webhooks are sent; absent where they are only kept. */
  readonly webhookUrl?: string;
  /** How orders are treated that the ledger was not told about; by default they simply wait for the customer. */
  readonly usualTreatment?: (orderId: string) => OrderTreatment;
}

/** One request and its answer, for checks against Cashfree's own document. */
export interface RecordedExchange {
  readonly method: string;
  /** Without `/pg`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** A running fake of Cashfree. */
export interface FakeCashfree {
  readonly url: string;
  readonly ledger: CashfreeLedger;
  /** Everything that was sent or would have been, oldest first. */
  readonly webhooks: readonly SignedWebhook[];
  readonly exchanges: readonly RecordedExchange[];
  /** Sends the webhooks so far again. Resolves when the receiver has answered them all. */
  resendWebhooks(): Promise<void>;
  /** From now on webhooks are only kept, until they are sent again. */
  holdWebhooks(): void;
  close(): Promise<void>;
}

/** Exchanges and webhooks that are kept. */
const MAXIMUM_KEPT = 10_000;
const MAXIMUM_BODY_BYTES = 4 * 1024 * 1024;
const API_VERSION = '2025-01-01';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const rupees = (minimum: number) => z.number().min(minimum).multipleOf(0.01);

/** What the adapter may send: as strict as Cashfree's document, or stricter. */
const orderSchema = z.strictObject({
  order_id: z.string().regex(/^[\w-]{3,45}$/),
  order_amount: rupees(1),
  order_currency: z.literal('INR'),
  customer_details: z.strictObject({
    customer_id: z.string().regex(/^[a-z\d]{3,50}$/i),
    customer_phone: z.string().regex(/^\d{10}$/),
  }),
  order_meta: z.strictObject({ return_url: z.url().max(250) }).exactOptional(),
  order_note: z.string().min(3).max(200).exactOptional(),
});
const terminationSchema = z.strictObject({ order_status: z.literal('TERMINATED') });
const paySchema = z.strictObject({
  payment_session_id: z.string(),
  save_instrument: z.literal(true).exactOptional(),
  payment_method: z.union([
    z.strictObject({
      card: z.strictObject({
        channel: z.literal('link'),
        instrument_id: z.string(),
        card_cvv: z
          .string()
          .regex(/^\d{3,4}$/)
          .exactOptional(),
      }),
    }),
    z.strictObject({ upi: z.strictObject({ channel: z.literal('link') }) }),
    z.strictObject({
      card: z.strictObject({
        channel: z.literal('link'),
        card_number: z.string().regex(/^\d{12,19}$/),
        card_expiry_mm: z.string().regex(/^\d\d$/),
        card_expiry_yy: z.string().regex(/^\d\d$/),
        card_cvv: z
          .string()
          .regex(/^\d{3,4}$/)
          .exactOptional(),
        card_holder_name: z.string().exactOptional(),
      }),
    }),
  ]),
});
const authorizationSchema = z.strictObject({
  action: z.enum(['CAPTURE', 'VOID']),
  amount: rupees(0.01).exactOptional(),
});
const refundSchema = z.strictObject({
  refund_id: z.string().regex(/^[a-z\d]{3,40}$/i),
  refund_amount: rupees(0.01),
  refund_note: z.string().min(3).max(100).exactOptional(),
});

const settlementsSchema = z.strictObject({
  pagination: z.strictObject({ limit: z.int().min(1).max(1_000), cursor: z.string().exactOptional() }),
  filters: z.union([
    z.strictObject({ start_date: z.iso.datetime(), end_date: z.iso.datetime() }),
    z.strictObject({ cf_settlement_ids: z.array(z.string()).min(1) }),
  ]),
});

const documentSchema = z.strictObject({
  doc_type: z.enum([
    'Delivery/Service Proof',
    'Shipping Proof',
    'Statement of Service',
    'Proof of Service Used',
    'Cancellation of Service Proof',
    'Refund Proof',
    'Business model explanation',
    'Extra Charges Declaration',
    'Terms & Conditions',
    'Customer Withdrawal Letter',
    'Certificate of Authenticity',
    'Reseller Agreement',
  ]),
  note: z.string().exactOptional(),
  /** Its name. */
  file: z.string().regex(/\.(?:jpeg|png|pdf)$/),
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  answer(ledger: CashfreeLedger, ids: readonly string[], body: unknown): unknown;
}

const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/orders$/,
    answer: (ledger, _, body) => ledger.create(orderSchema.parse(body)),
  },
  {
    method: 'POST',
    path: /^\/orders\/sessions$/,
    answer: (ledger, _, body) => ledger.pay(paySchema.parse(body)),
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)$/,
    answer: (ledger, [orderId = '']) => ledger.get(orderId),
  },
  {
    method: 'PATCH',
    path: /^\/orders\/([^/]+)$/,
    answer: (ledger, [orderId = ''], body) => {
      terminationSchema.parse(body);
      return ledger.terminate(orderId);
    },
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)\/payments$/,
    answer: (ledger, [orderId = '']) => ledger.payments(orderId),
  },
  {
    method: 'POST',
    path: /^\/orders\/([^/]+)\/authorization$/,
    answer: (ledger, [orderId = ''], body) => ledger.authorize(orderId, authorizationSchema.parse(body)),
  },
  {
    method: 'POST',
    path: /^\/orders\/([^/]+)\/refunds$/,
    answer: (ledger, [orderId = ''], body) => ledger.refund(orderId, refundSchema.parse(body)),
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)\/refunds$/,
    answer: (ledger, [orderId = '']) => ledger.refunds(orderId),
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)\/refunds\/([^/]+)$/,
    answer: (ledger, [orderId = '', refundId = '']) => ledger.getRefund(orderId, refundId),
  },
];

const OTHER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/disputes\/(\d+)$/,
    answer: ({ disputes }, [id]) => disputes.get(Number(id)),
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)\/disputes$/,
    answer: (ledger, [orderId = '']) => {
      ledger.get(orderId);
      return ledger.disputes.ofOrder(orderId);
    },
  },
  {
    method: 'PUT',
    path: /^\/disputes\/(\d+)\/accept$/,
    answer: ({ disputes }, [id]) => disputes.accept(Number(id)),
  },
  {
    method: 'POST',
    path: /^\/disputes\/(\d+)\/documents$/,
    answer: ({ disputes }, [id], body) => disputes.upload(Number(id), documentSchema.parse(body).doc_type),
  },
  {
    method: 'POST',
    path: /^\/settlements$/,
    answer: (ledger, _, body) => ledger.settlements.list(settlementsSchema.parse(body)),
  },
  {
    method: 'POST',
    path: /^\/settlement\/recon$/,
    answer: (ledger, _, body) => ledger.settlements.events(settlementsSchema.parse(body)),
  },
  {
    method: 'GET',
    path: /^\/customers\/([^/]+)\/instruments\?instrument_type=card$/,
    answer: (ledger, [customerId = '']) => ledger.instruments(customerId),
  },
  {
    method: 'DELETE',
    path: /^\/customers\/([^/]+)\/instruments\/([^/]+)$/,
    answer: (ledger, [customerId = '', instrumentId = '']) => ledger.removeInstrument(customerId, instrumentId),
  },
];

/** Starts a fake of Cashfree on this machine: orders, payments, refunds, disputes, idempotency keys and signed webhooks. */
export async function startFakeCashfree(options: FakeCashfreeOptions): Promise<FakeCashfree> {
  const { clientSecret, webhookUrl } = options;
  const webhooks: SignedWebhook[] = [];
  const exchanges: RecordedExchange[] = [];
  let isHolding = false;

  const send = async ({ body, headers }: SignedWebhook): Promise<void> => {
    if (webhookUrl === undefined) return;
    await fetch(webhookUrl, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => undefined);
  };
  const notify = (event: LedgerEvent): void => {
    const body = webhookBodyOf(event);
    if (options.edge !== undefined) {
      options.edge.deliver(() => signWebhook(body, clientSecret));
      return;
    }
    const webhook = signWebhook(body, clientSecret);
    keep(webhooks, webhook);
    if (!isHolding) void send(webhook);
  };
  const ledger = new CashfreeLedger(options.preauthorization ?? false, notify, options.usualTreatment);
  const answer = createResponder(ledger, options);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const path = (request.url ?? '').replace(/^\/pg/, '');
    const { status, body } = answer(request, path, text);
    const { method = '', headers } = request;
    const sent = text === '' ? null : parse(text);
    keep(exchanges, { method, path, headers, request: sent, status, response: body });
    response.writeHead(status, { 'content-type': 'application/json', 'x-api-version': API_VERSION });
    response.end(JSON.stringify(body));
  };
  const listener: RequestListener = (request, response) => {
    void handle(request, response).catch(() => response.destroy());
  };
  const server = await serveFake(listener, options);

  return {
    url: server.url,
    ledger,
    webhooks,
    exchanges,
    async resendWebhooks() {
      await Promise.all(webhooks.map(send));
    },
    holdWebhooks() {
      isHolding = true;
    },
    close: () => server.close(),
  };
}

/** Checks the credentials, the version and the idempotency key of requests, and carries out each one once. */
function createResponder(
  ledger: CashfreeLedger,
  { clientId, clientSecret }: Pick<FakeCashfreeOptions, 'clientId' | 'clientSecret'>,
): (request: IncomingMessage, path: string, text: string) => Answer {
  /** Cashfree keeps the first answer to a key, errors included. */
  const answered = new Map<string, { readonly request: string; readonly answer: Answer }>();

  return (request, path, text) => {
    const { headers, method = '' } = request;
    if (headers['x-client-id'] !== clientId || headers['x-client-secret'] !== clientSecret) {
      return errorAnswer(refusal(401, 'request_failed', 'authentication Failed', 'authentication_error'));
    }
    if (headers['x-api-version'] !== API_VERSION) {
      return errorAnswer(refusal(400, 'version_invalid', 'the version is not supported'));
    }
    const key = headers['x-idempotency-key'];
    if (typeof key !== 'string') return carryOut(ledger, method, path, text);
    if (!UUID.test(key)) return errorAnswer(refusal(400, 'request_failed', 'x-idempotency-key is no UUID'));
    const known = answered.get(key);
    if (known !== undefined && known.request !== text) {
      return errorAnswer(refusal(422, 'request_invalid', 'another body under the same key', 'idempotency_error'));
    }
    const first = known?.answer ?? carryOut(ledger, method, path, text);
    answered.set(key, { request: text, answer: first });
    return first;
  };
}

function keep<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAXIMUM_KEPT) items.shift();
}

function carryOut(ledger: CashfreeLedger, method: string, path: string, text: string): Answer {
  for (const route of [...ROUTES, ...OTHER_ROUTES]) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match === null) continue;
    try {
      return { status: 200, body: route.answer(ledger, match.slice(1), text === '' ? null : parse(text)) };
    } catch (error) {
      if (error instanceof LedgerRefusal) return errorAnswer(error);
      if (error instanceof z.ZodError) return errorAnswer(refusal(400, 'request_failed', z.prettifyError(error)));
      throw error;
    }
  }
  return errorAnswer(refusal(404, 'resource_get_not_found', 'bad URL, please check API documentation'));
}

function errorAnswer({ error: { status, ...body } }: LedgerRefusal): Answer {
  return { status, body };
}

function parse(text: string): unknown {
  return text.startsWith('--') ? membersOf(text) : JSON.parse(text);
}

/** The members of a form in parts; of a file its name. */
function membersOf(text: string): Record<string, string> {
  const parts = text.matchAll(/name="(\w+)"(?:; filename="([^"]*)")?\r\n(?:[^\r]+\r\n)*\r\n([^]*?)\r\n--/g);
  return Object.fromEntries([...parts].map(([, name = '', fileName, value = '']) => [name, fileName ?? value]));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAXIMUM_BODY_BYTES) throw new Error('the body is too large');
  }
  return Buffer.concat(chunks).toString('utf8');
}

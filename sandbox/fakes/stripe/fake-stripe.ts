import { createHash, createHmac, randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { SECOND_MS } from '../../../domain/time.ts';
import type { FakeEdge } from '../edge.ts';
import { decodeForm, type Form, recordAt, textAt } from './form.ts';
import { type Charge, createPayments, type Intent, type Payments, type Refund, StripeRefusal } from './payments.ts';

export interface FakeStripeOptions {
  readonly secretKey: string;
  /** Signs webhooks. */
  readonly webhookSecret: string;
  /** Where webhooks are posted to; they are only kept where it is absent. */
  readonly webhookUrl?: string;
  /** The port on this machine; a free one by default. */
  readonly port?: number;
  /** What requests and webhooks pass, where the fake is a process of its own. */
  readonly edge?: FakeEdge;
}

/** A webhook with its signature. */
interface SentWebhook {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a payment is reported with instead of its own amount or currency. */
interface Misreport {
  readonly additional?: number;
  readonly currency?: string;
}

/** A running fake of Stripe's API in test mode, for cards: payments, refunds, idempotency keys, webhooks. */
export interface FakeStripe {
  readonly url: string;
  readonly payments: Payments;
  /** Every webhook, oldest first. */
  sentWebhooks(): readonly SentWebhook[];
  /** Signs a body, by default with the endpoint's secret and for now. */
  sign(body: Buffer, options?: { readonly secret?: string; readonly at?: Date }): SentWebhook;
  /** Reports the payments of an attempt otherwise than they are. */
  misreport(attemptId: string, misreport: Misreport): void;
  /** Forgets all idempotency keys, as Stripe may after 24 hours. */
  forgetKeys(): void;
  /** Answers the next POST to a path that ends so with a status 500, which is stored under its key; the work is done or not. */
  failNext(pathEnd: string, work: 'done' | 'not_done'): void;
  /** Refuses card numbers, as Stripe does unless it has allowed them to the account. */
  forbidCardNumbers(): void;
  /** Keeps webhooks back until they are released. */
  holdWebhooks(): void;
  releaseWebhooks(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface StoredAnswer extends Answer {
  readonly fingerprint: string;
}

type Shown = Intent | Charge | Refund;

export async function startFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const sent: SentWebhook[] = [];
  const held: SentWebhook[] = [];
  const misreports = new Map<string, Misreport>();
  const stored = new Map<string, StoredAnswer>();
  const failures: { readonly pathEnd: string; readonly work: 'done' | 'not_done' }[] = [];
  let isHolding = false;
  let allowsCardNumbers = true;

  const show = (object: Shown): Shown => {
    const misreport = misreports.get(object.metadata?.attempt_id ?? '');
    return misreport === undefined || object.object === 'refund' ? object : misreported(object, misreport);
  };

  const sign: FakeStripe['sign'] = (body, { secret = options.webhookSecret, at = new Date() } = {}) => {
    const time = Math.floor(at.getTime() / SECOND_MS);
    const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${time},v1=${signature}` } };
  };

  const deliver = async ({ body, headers }: SentWebhook): Promise<void> => {
    if (options.webhookUrl === undefined) return;
    const type = { 'content-type': 'application/json; charset=utf-8' };
    await fetch(options.webhookUrl, {
      method: 'POST',
      headers: { ...headers, ...type },
      body: new Uint8Array(body),
    }).catch(() => undefined);
  };

  const payments = createPayments({
    // Accounts differ in what they may charge in.
    refusedCurrencies: ['top'],
    onEvent(type, object) {
      const created = Math.floor(Date.now() / SECOND_MS);
      const shown = collapse(show(object));
      const event = { id: newEventId(), object: 'event', type, created, livemode: false, data: { object: shown } };
      const body = Buffer.from(JSON.stringify(event));
      if (options.edge !== undefined) {
        options.edge.deliver(() => sign(body));
        return;
      }
      const webhook = sign(body);
      if (isHolding) {
        held.push(webhook);
        return;
      }
      sent.push(webhook);
      void deliver(webhook);
    },
  });

  /** Shows the charge where the request asks for it. */
  const present = (object: Intent, form: Form): object => {
    const [, isExpanded, withRefunds] =
      /^(?:data\.)?(latest_charge)(\.refunds)?$/.exec(recordAt(form, 'expand')['0'] ?? '') ?? [];
    const shown = show(object);
    if (isExpanded === undefined) return collapse(shown);
    if (withRefunds === undefined || !('latest_charge' in shown) || shown.latest_charge === null) return shown;
    const refunds = pageOf(payments.refundsOf(object.id), {}, (refund) => refund);
    return { ...shown, latest_charge: { ...shown.latest_charge, refunds } };
  };

  const act = (method: string, path: string, form: Form): object => {
    const [, , resource = '', id = '', action = ''] = path.split('/');
    const route = `${method} ${resource}${id === '' ? '' : '/:id'}${action === '' ? '' : `/${action}`}`;
    switch (route) {
      case 'POST payment_methods':
        if (allowsCardNumbers) return payments.createMethod(form);
        throw new StripeRefusal(402, { type: 'invalid_request_error', message: 'Sending card numbers is unsafe.' });
      case 'POST payment_intents':
        return present(payments.createIntent(form), form);
      case 'GET payment_intents':
        return pageOf(payments.list(form), form, (intent) => present(intent, form));
      case 'GET payment_intents/:id':
        return present(payments.find(id), form);
      case 'POST payment_intents/:id/confirm':
        return present(payments.confirm(id, form), form);
      case 'POST payment_intents/:id/capture':
        return present(payments.capture(id, form), form);
      case 'POST payment_intents/:id/cancel':
        return present(payments.cancel(id), form);
      case 'POST refunds':
        return payments.createRefund(form);
      case 'GET refunds':
        return pageOf(payments.refundsOf(textAt(form, 'payment_intent')), form, (refund) => refund);
      default:
        throw new StripeRefusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${route})` });
    }
  };

  /** Does the work, or fails as told. */
  const perform = (method: string, path: string, form: Form): Answer => {
    const failure = method === 'POST' ? failures.findIndex(({ pathEnd }) => path.endsWith(pathEnd)) : -1;
    const [failed] = failure < 0 ? [] : failures.splice(failure, 1);
    if (failed?.work === 'not_done') return serverError();
    const answer = answerOf(() => act(method, path, form));
    return failed === undefined ? answer : serverError();
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const text = method === 'GET' ? searchParams.toString() : await readText(request);
    if (headers.authorization !== `Bearer ${options.secretKey}`) {
      send(response, { status: 401, body: JSON.stringify({ error: { type: 'invalid_request_error' } }) });
      return;
    }
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    const fingerprint = createHash('sha256').update(`${pathname}?${text}`).digest('hex');
    const known = typeof key === 'string' ? stored.get(key) : undefined;
    if (known !== undefined) {
      if (known.fingerprint === fingerprint) send(response, known, { 'idempotent-replayed': 'true' });
      else send(response, { status: 400, body: JSON.stringify({ error: { type: 'idempotency_error' } }) });
      return;
    }
    const answer = perform(method, pathname, decodeForm(text));
    // Stripe keeps the answer of every request that it began to carry out, also of one that failed on its side.
    if (typeof key === 'string') stored.set(key, { ...answer, fingerprint });
    send(response, answer);
  };

  const listener: RequestListener = (request, response) => {
    void handle(request, response).catch(() => response.destroy());
  };
  const server = http.createServer(options.edge?.serve(listener) ?? listener);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.address();

  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    payments,
    sentWebhooks: () => [...sent],
    sign,
    misreport(attemptId, misreport) {
      misreports.set(attemptId, misreport);
    },
    forgetKeys() {
      stored.clear();
    },
    failNext(pathEnd, work) {
      failures.push({ pathEnd, work });
    },
    forbidCardNumbers() {
      allowsCardNumbers = false;
    },
    holdWebhooks() {
      isHolding = true;
    },
    async releaseWebhooks() {
      isHolding = false;
      const released = held.splice(0);
      sent.push(...released);
      await Promise.all(released.map(deliver));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function answerOf(act: () => object): Answer {
  try {
    return { status: 200, body: JSON.stringify(act()) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: JSON.stringify({ error: error.error }) };
  }
}

function serverError(): Answer {
  return { status: 500, body: JSON.stringify({ error: { type: 'api_error', message: 'A fault was asked for.' } }) };
}

function send(
  response: ServerResponse,
  { status, body }: Answer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function pageOf<Entry extends Intent | Refund>(
  entries: readonly Entry[],
  form: Form,
  presentEntry: (entry: Entry) => object,
): object {
  const limit = Number(textAt(form, 'limit') ?? 10);
  const after = textAt(form, 'starting_after');
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  const data = entries.slice(start, start + limit).map(presentEntry);
  return { object: 'list', data, has_more: entries.length > start + limit };
}

/** Events name the charge by its id. */
function collapse(object: Shown): object {
  return object.object === 'payment_intent' ? { ...object, latest_charge: object.latest_charge?.id ?? null } : object;
}

function misreported<Reported extends Intent | Charge>(object: Reported, misreport: Misreport): Reported {
  const { additional = 0, currency = object.currency } = misreport;
  const more = (amount: number): number => (amount === 0 ? 0 : amount + additional);
  if (object.object === 'charge') return { ...object, amount: more(object.amount), currency };
  return {
    ...object,
    amount: more(object.amount),
    amount_capturable: more(object.amount_capturable),
    amount_received: more(object.amount_received),
    currency,
  };
}

function newEventId(): string {
  return `evt_1${randomBytes(12).toString('hex')}`;
}

import { createHmac } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseJson } from '../../../domain/json.ts';
import type { FakeEdge } from '../edge.ts';
import { type FakeServerOptions, serveFake } from '../serve-fake.ts';
import { answerChallenge, CHALLENGE_PATH } from './challenge.ts';
import { answerDisputeService, decideDispute, DISPUTE_PATH, openDispute } from './dispute-service.ts';
import { abandon, decide, DETAILS_PATH, endRefund, OPERATIONS, type Report, serviceError } from './operations.ts';
import { listOf } from './stored-cards.ts';
import type { AdyenBehaviour, FakeAmount } from './payment.ts';
import { FakeAdyenStore, type FakeReply } from './store.ts';

export type { AdyenBehaviour } from './payment.ts';

export interface FakeAdyenOptions extends FakeServerOptions {
  readonly apiKey: string;
  readonly merchantAccount: string;
  /** 32 bytes in hexadecimal. */
  readonly hmacKey: string;
  /** Where webhooks are posted to; null where they are only kept. */
  readonly webhookUrl?: string | null;
  /** How the payments with a card are treated; all of them are authorized by default. */
  readonly behaviourOfCard?: (cardNumber: string) => AdyenBehaviour;
  /** Sees every request and reply. */
  readonly observe?: (exchange: AdyenExchange) => void;
}

/** A request that the fake has answered. */
interface AdyenExchange {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly reply: FakeReply;
}

/** What a call meets: an error, or a lost connection, before or after its work. */
interface AdyenFault {
  readonly when: 'before' | 'after';
  /** Null: the connection drops. */
  readonly reply: FakeReply | null;
}

/** Adyen's Checkout v72, as much of it as payments by card need, and its service for disputes, in memory. */
export interface FakeAdyen {
  readonly url: string;
  readonly store: FakeAdyenStore;
  /** Has the payment of an attempt treated otherwise than authorized. */
  setBehaviour(attemptId: string, behaviour: AdyenBehaviour): void;
  /** The faults of the calls that follow, in order; null lets a call pass. */
  planFaults(faults: readonly (AdyenFault | null)[]): void;
  /** Authorizes or refuses a pending payment. */
  decidePayment(attemptId: string, isApproved: boolean): void;
  /** Reports that the customer of an open payment did not come in time. */
  abandonPayment(attemptId: string): void;
  /** The customer's bank takes the money of an attempt back. @returns the reference of the dispute */
  openDispute(attemptId: string, amount: FakeAmount): string;
  /** The bank decides a dispute. */
  decideDispute(pspReference: string, isWon: boolean): void;
  /** Ends a refund that waits. */
  settleRefund(refundId: string, isApproved: boolean): void;
  /** Webhooks are kept back until `releaseWebhooks`, which sends each one as often as it is told. */
  holdWebhooks(): void;
  releaseWebhooks(times?: number): void;
  /** The bodies of all webhooks so far, oldest first. */
  webhooks(): readonly Buffer[];
  /** How often an attempt was captured. */
  countCharges(attemptId: string): number;
  /** Captured less refunded, in Adyen's unit. */
  keptValue(attemptId: string): number;
  close(): Promise<void>;
}

/** Starts the fake on a free port of this machine. */
export async function startFakeAdyen(options: FakeAdyenOptions): Promise<FakeAdyen> {
  const { merchantAccount, hmacKey } = options;
  const store = new FakeAdyenStore(options.behaviourOfCard);
  const outbox = createOutbox(options.webhookUrl ?? null, options.edge);
  const report: Report = (event) => {
    const own = { ...event, merchantAccountCode: merchantAccount };
    const isMixed = options.edge?.drawForeignItems() === true;
    outbox.send(isMixed ? signMixedWebhook(own, hmacKey) : signAdyenWebhook(own, hmacKey));
  };
  let address = '';
  const challengeUrlOf = (pspReference: string): string => `${address}${CHALLENGE_PATH}${pspReference}`;
  const account = { merchantAccount, challengeUrlOf, store, report };
  let faults: readonly (AdyenFault | null)[] = [];

  const answer = async (request: IncomingMessage): Promise<FakeReply | null> => {
    const [fault = null, ...later] = faults;
    faults = later;
    const body = parseJson(await readText(request));
    if (fault?.when === 'before') return fault.reply;
    const reply = await respond(account, options, request, body);
    options.observe?.({ method: (request.method ?? '').toLowerCase(), path: request.url ?? '/', request: body, reply });
    return fault === null ? reply : fault.reply;
  };

  const listener: RequestListener = (request, response) => {
    if (request.url?.startsWith(CHALLENGE_PATH) === true) return answerChallenge(store, request.url, response);
    answer(request).then(
      (reply) => {
        send(response, reply);
      },
      () => response.destroy(),
    );
  };
  const server = await serveFake(listener, options);
  address = server.url;

  return {
    url: address,
    store,
    setBehaviour: (attemptId, behaviour) => {
      store.setBehaviour(attemptId, behaviour);
    },
    planFaults: (planned) => {
      faults = planned;
    },
    decidePayment(attemptId, isApproved) {
      for (const payment of store.paymentsOf(attemptId)) {
        if (payment.status === 'open') decide(account, payment, isApproved, 'Refused');
      }
    },
    abandonPayment(attemptId) {
      for (const payment of store.paymentsOf(attemptId)) abandon(account, payment);
    },
    openDispute: (attemptId, amount) => openDispute(account, attemptId, amount),
    decideDispute: (pspReference, isWon) => decideDispute(account, pspReference, isWon),
    settleRefund(refundId, isApproved) {
      const refund = store.waitingRefunds.get(refundId);
      if (!store.waitingRefunds.delete(refundId) || refund === undefined) throw new Error(`${refundId} does not wait`);
      endRefund(account, refund, isApproved);
    },
    holdWebhooks: outbox.hold,
    releaseWebhooks: outbox.release,
    webhooks: outbox.sent,
    countCharges: (attemptId) => store.paymentsOf(attemptId).reduce((sum, { charges }) => sum + charges, 0),
    keptValue: (attemptId) =>
      store.paymentsOf(attemptId).reduce((sum, payment) => sum + payment.capturedValue - payment.refundedValue, 0),
    close: () => server.close(),
  };
}

type Account = Parameters<(typeof OPERATIONS)[number]['run']>[0];

/** Answers a request, and the same again for the same key. */
async function respond(
  account: Account,
  { apiKey, merchantAccount }: FakeAdyenOptions,
  request: IncomingMessage,
  body: unknown,
): Promise<FakeReply> {
  if (request.headers['x-api-key'] !== apiKey) return serviceError(401, '000', 'HTTP Status Response - Unauthorized');
  const url = request.url ?? '/';
  if (request.method !== 'POST') return aboutStoredCards(account, request.method ?? '', url);
  if (!DETAILS_PATH.test(url) && !isOfAccount(body, merchantAccount))
    return serviceError(403, '901', 'Invalid Merchant Account');
  const disputeOperation = DISPUTE_PATH.exec(url)?.[1];
  if (disputeOperation !== undefined) return answerDisputeService(account, disputeOperation, body);
  const operation = OPERATIONS.find(({ path }) => path.test(url));
  if (operation === undefined) return serviceError(404, '000', 'Not found');
  const pspReference = operation.path.exec(url)?.[1] ?? '';
  const run = (): FakeReply => operation.run(account, body, decodeURIComponent(pspReference));
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return run();
  if (key.length > 64) return serviceError(422, '702', 'The idempotency key is too long');
  const { replies } = account.store;
  const known = replies.get(key);
  if (known === 'in progress') return serviceError(422, '704', 'request already processed or in progress');
  if (known !== undefined) return known;
  replies.set(key, 'in progress');
  await nextTurn();
  const reply = run();
  replies.set(key, reply);
  return reply;
}

const STORED_PATH = /^\/v72\/storedPaymentMethods(?:\/([^/]+))?$/;

/** Lists a shopper's cards, or deletes one: requests without a body. */
function aboutStoredCards({ merchantAccount, store }: Account, method: string, target: string): FakeReply {
  const { pathname, searchParams } = new URL(target, 'http://fake.invalid');
  const [path, id] = STORED_PATH.exec(pathname) ?? [];
  if (path === undefined) return serviceError(404, '000', 'Not found');
  if (searchParams.get('merchantAccount') !== merchantAccount)
    return serviceError(403, '901', 'Invalid Merchant Account');
  const shopperReference = searchParams.get('shopperReference') ?? '';
  if (method === 'GET' && id === undefined) return listOf(merchantAccount, shopperReference, store.storedCards);
  if (method !== 'DELETE' || id === undefined) return serviceError(404, '000', 'Not found');
  const isRemoved = store.storedCards.remove(decodeURIComponent(id), shopperReference);
  return isRemoved ? { status: 204, body: {} } : serviceError(422, '803', 'PaymentDetail not found');
}

/** The service for disputes gives the merchant account another name. */
function isOfAccount(body: unknown, merchantAccount: string): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const named =
    'merchantAccountCode' in body ? body.merchantAccountCode : 'merchantAccount' in body && body.merchantAccount;
  return named === merchantAccount;
}

function send(response: ServerResponse, reply: FakeReply | null): void {
  if (reply === null) return void response.destroy();
  const isInProgress = 'errorCode' in reply.body && reply.body.errorCode === '704';
  const transient = isInProgress ? { 'transient-error': 'true' } : {};
  response.writeHead(reply.status, { 'content-type': 'application/json', ...transient });
  response.end(reply.status === 204 ? '' : JSON.stringify(reply.body));
}

/** Posts webhooks one after another; each is posted once, because the fake's receivers do not fail. */
function createOutbox(webhookUrl: string | null, edge: FakeEdge | undefined) {
  const sent: Buffer[] = [];
  let held: Buffer[] | null = null;
  let posted: Promise<unknown> = Promise.resolve();
  const send = (body: Buffer): void => {
    const headers = { 'content-type': 'application/json' };
    if (edge !== undefined) {
      edge.deliver(() => ({ body, headers }));
      return;
    }
    sent.push(body);
    if (webhookUrl === null) return;
    posted = posted.then(() => fetch(webhookUrl, { method: 'POST', headers, body })).catch(() => undefined);
  };
  return {
    send: (body: Buffer): void => {
      if (held === null) send(body);
      else held.push(body);
    },
    hold: (): void => {
      held ??= [];
    },
    release: (times = 1): void => {
      const bodies = held ?? [];
      held = null;
      for (const body of bodies) for (let time = 0; time < times; time += 1) send(body);
    },
    sent: (): readonly Buffer[] => sent,
  };
}

/** What an event of a webhook says. */
export interface AdyenEvent {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly amount: FakeAmount;
  readonly reason?: string;
  /** Whether `CANCEL_OR_REFUND` canceled or refunded. */
  readonly modificationAction?: 'cancel' | 'refund';
  /** When it happened, ISO 8601; now if left out. */
  readonly eventDate?: string;
  /** What else is said of a dispute. */
  readonly dispute?: Readonly<Record<string, string>>;
}

/** The body of a webhook with one event, signed as Adyen signs it. */
export function signAdyenWebhook(event: AdyenEvent, hmacKey: string): Buffer {
  const NotificationRequestItem = signItem(event, hmacKey);
  return Buffer.from(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem }] }));
}

/** The body of a webhook in which the event is among others that mean nothing to the engine, as Adyen batches them. */
function signMixedWebhook(event: AdyenEvent, hmacKey: string): Buffer {
  const { amount, merchantAccountCode } = event;
  const ofAnotherSystem = { eventCode: 'AUTHORISATION', success: true, pspReference: 'PSPFOREIGN', amount };
  const items = [
    signItem({ ...ofAnotherSystem, merchantAccountCode, merchantReference: 'ORDER-1042' }, hmacKey),
    { eventCode: 'REPORT_AVAILABLE', success: 'true', merchantAccountCode, merchantReference: null },
    signItem(event, hmacKey),
    signItem({ ...ofAnotherSystem, merchantAccountCode: 'AnotherAccount', merchantReference: '' }, hmacKey),
    signItem({ ...ofAnotherSystem, eventCode: 'NEW_AT_ADYEN', merchantAccountCode, merchantReference: '' }, hmacKey),
  ];
  const notificationItems = items.map((NotificationRequestItem) => ({ NotificationRequestItem }));
  return Buffer.from(JSON.stringify({ live: 'false', notificationItems }));
}

function signItem({ modificationAction, dispute, ...event }: AdyenEvent, hmacKey: string) {
  const { eventCode, pspReference, originalReference, merchantAccountCode, merchantReference, amount } = event;
  const success = String(event.success);
  const signed = [
    pspReference,
    originalReference ?? '',
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ];
  const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed.join(':')).digest('base64');
  return {
    ...event,
    success,
    reason: event.reason ?? '',
    paymentMethod: 'visa',
    eventDate: event.eventDate ?? new Date().toISOString(),
    additionalData: { ...dispute, hmacSignature, 'modification.action': modificationAction },
  };
}

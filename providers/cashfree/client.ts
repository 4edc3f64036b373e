import type { Advised } from '../../domain/decline-advice.ts';
import type {
  AuthorizeOrderRequest,
  CreateOrderRequest,
  FetchSettlementsRequest,
  OrderCreateRefundRequest,
  PayOrderRequest,
  TerminateOrderRequest,
} from 'cashfree-pg';
import { z } from 'zod';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import { encodeMultipart, type FormFile } from '../multipart.ts';
import { createProviderHttp, type ProviderAnswer } from '../provider-http.ts';
import type { ProviderAccountSettings } from '../provider-kind.ts';
import type { CashfreeCredentials } from './credentials.ts';
import { adviceOfRefusal, isOutage, meaningOf, type RefusalMeaning } from './error-codes.ts';
import {
  type CashfreeDispute,
  type CashfreeInstrument,
  type CashfreeListedRefund,
  type CashfreeOrder,
  type CashfreePayment,
  type CashfreeRefund,
  type CashfreeSession,
  type CashfreeSettlementEvents,
  type CashfreeSettlements,
  disputeSchema,
  disputesSchema,
  errorSchema,
  instrumentsSchema,
  orderSchema,
  paymentSchema,
  paymentsSchema,
  refundSchema,
  refundsSchema,
  sessionSchema,
  settlementEventsSchema,
  settlementsSchema,
} from './messages.ts';

const API_VERSION = '2025-01-01';

const API_URLS = { sandbox: 'https://sandbox.cashfree.com', production: 'https://api.cashfree.com' } as const;

/** A request that Cashfree refused, and so did not carry out. */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly meaning: Exclude<RefusalMeaning, OutageCode | 'credentials_refused'>;
  /** What the refusal of a payment tells the merchant to do. */
  readonly advised: Advised;
  /** Redacted. */
  readonly providerResponse: JsonObject;
}

type Reply<Value> = { readonly kind: 'done'; readonly value: Value } | Refusal;

/** The calls of Cashfree's API that the adapter makes. Each throws ProviderOutageError where there is no usable answer. */
export interface CashfreeClient {
  createOrder(body: CreateOrderRequest, signal: AbortSignal): Promise<Reply<CashfreeOrder>>;
  getOrder(orderId: string, signal: AbortSignal): Promise<Reply<CashfreeOrder>>;
  terminateOrder(orderId: string, signal: AbortSignal): Promise<Reply<CashfreeOrder>>;
  /** The payments of an order, in no particular order. */
  getPayments(orderId: string, signal: AbortSignal): Promise<readonly CashfreePayment[]>;
  /** Begins a payment. Under the same key, which is a UUID, Cashfree repeats its first answer. */
  pay(body: PayOrderRequest, idempotencyKey: string, signal: AbortSignal): Promise<Reply<CashfreeSession>>;
  authorize(orderId: string, body: AuthorizeOrderRequest, signal: AbortSignal): Promise<Reply<CashfreePayment>>;
  refund(orderId: string, body: OrderCreateRefundRequest, signal: AbortSignal): Promise<Reply<CashfreeRefund>>;
  getRefund(orderId: string, refundId: string, signal: AbortSignal): Promise<Reply<CashfreeRefund>>;
  /** Those that Cashfree made by itself as well. */
  getRefunds(orderId: string, signal: AbortSignal): Promise<readonly CashfreeListedRefund[]>;
  /** The cards that are kept for a customer. */
  getInstruments(customerId: string, signal: AbortSignal): Promise<Reply<readonly CashfreeInstrument[]>>;
  getDispute(disputeId: string, signal: AbortSignal): Promise<Reply<CashfreeDispute>>;
  /** The disputes of an order's payments. */
  getDisputes(orderId: string, signal: AbortSignal): Promise<Reply<readonly CashfreeDispute[]>>;
  acceptDispute(disputeId: string, signal: AbortSignal): Promise<Reply<CashfreeDispute>>;
  /** Sends evidence. */
  uploadDocument(disputeId: string, document: DisputeDocument, signal: AbortSignal): Promise<Reply<unknown>>;
  deleteInstrument(customerId: string, instrumentId: string, signal: AbortSignal): Promise<Reply<unknown>>;
  getSettlements(body: FetchSettlementsRequest, signal: AbortSignal): Promise<Reply<CashfreeSettlements>>;
  /** The payments, refunds and disputes of a settlement. */
  getSettlementEvents(body: FetchSettlementsRequest, signal: AbortSignal): Promise<Reply<CashfreeSettlementEvents>>;
}

/** A thousand events of settlements, each with all that Cashfree knows of its customer. */
const LONG_ANSWER = { maximumAnswerBytes: 8 * 1024 * 1024 };

/** A file of evidence, as Cashfree takes it. */
interface DisputeDocument {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: FormFile;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
  /** Whether the answer may be longer than usual. */
  readonly isLong?: true;
}

/**
 * Only `pay` has an idempotency key. Cashfree keeps the first answer to a key, errors included, so that an order or refund
 * under a key could never be tried again; their own ids make them unique.
 */
export function createCashfreeClient(settings: ProviderAccountSettings<CashfreeCredentials>): CashfreeClient {
  const { clientId, clientSecret } = settings.credentials;
  const { apiUrl, environment, timeoutMs, requestsPerSecond = null } = settings;
  const http = createProviderHttp(apiUrl ?? API_URLS[environment], timeoutMs, { requestsPerSecond });
  const commonHeaders = {
    'content-type': 'application/json',
    'x-api-version': API_VERSION,
    'x-client-id': clientId,
    'x-client-secret': clientSecret,
  };

  const call = async <Schema extends z.ZodType>(
    request: Request,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Reply<z.output<Schema>>> => {
    const { method, path, body, key, isLong = false } = request;
    const headers = key === undefined ? commonHeaders : { ...commonHeaders, 'x-idempotency-key': key };
    const text = body === undefined ? null : JSON.stringify(body);
    const sent = { method, path: `/pg${path}`, headers, body: text, ...(isLong ? LONG_ANSWER : {}) };
    return readReply(await http.send(sent, signal), schema);
  };

  const callForOrder = async (orderId: string | undefined, request: Request, signal: AbortSignal) => {
    const reply = await call(request, orderSchema, signal);
    if (reply.kind === 'refused' || reply.value.order_id === orderId) return reply;
    throw new ProviderOutageError('TSP_ERROR', 'the answer is about another order');
  };

  const callForRefund = async (refundId: string, request: Request, signal: AbortSignal) => {
    const reply = await call(request, refundSchema, signal);
    if (reply.kind === 'refused' || reply.value.refund_id === refundId) return reply;
    throw new ProviderOutageError('TSP_ERROR', 'the answer is about another refund');
  };

  const instrumentsPathOf = (customerId: string): string => `/customers/${encodeURIComponent(customerId)}/instruments`;

  const callForDispute = async (disputeId: string, request: Request, signal: AbortSignal) => {
    const reply = await call(request, disputeSchema, signal);
    if (reply.kind === 'refused' || reply.value.dispute_id === disputeId) return reply;
    throw new ProviderOutageError('TSP_ERROR', 'the answer is about another dispute');
  };

  const disputePathOf = (disputeId: string): string => `/disputes/${encodeURIComponent(disputeId)}`;

  const pathOf = (orderId: string): string => `/orders/${encodeURIComponent(orderId)}`;

  return {
    createOrder: (body, signal) => callForOrder(body.order_id, { method: 'POST', path: '/orders', body }, signal),
    getOrder: (orderId, signal) => callForOrder(orderId, { method: 'GET', path: pathOf(orderId) }, signal),
    terminateOrder: (orderId, signal) => {
      const body = { order_status: 'TERMINATED' } satisfies TerminateOrderRequest;
      return callForOrder(orderId, { method: 'PATCH', path: pathOf(orderId), body }, signal);
    },
    getPayments: async (orderId, signal) =>
      doneOf(await call({ method: 'GET', path: `${pathOf(orderId)}/payments` }, paymentsSchema, signal)),
    pay: (body, key, signal) => call({ method: 'POST', path: '/orders/sessions', body, key }, sessionSchema, signal),
    authorize: (orderId, body, signal) =>
      call({ method: 'POST', path: `${pathOf(orderId)}/authorization`, body }, paymentSchema, signal),
    refund: (orderId, body, signal) => {
      const path = `${pathOf(orderId)}/refunds`;
      return callForRefund(body.refund_id, { method: 'POST', path, body }, signal);
    },
    getRefund: (orderId, refundId, signal) => {
      const path = `${pathOf(orderId)}/refunds/${encodeURIComponent(refundId)}`;
      return callForRefund(refundId, { method: 'GET', path }, signal);
    },
    getRefunds: async (orderId, signal) =>
      doneOf(await call({ method: 'GET', path: `${pathOf(orderId)}/refunds` }, refundsSchema, signal)),
    getInstruments: (customerId, signal) => {
      const path = `${instrumentsPathOf(customerId)}?instrument_type=card`;
      return call({ method: 'GET', path }, instrumentsSchema, signal);
    },
    getDispute: (disputeId, signal) =>
      callForDispute(disputeId, { method: 'GET', path: disputePathOf(disputeId) }, signal),
    getDisputes: (orderId, signal) =>
      call({ method: 'GET', path: `${pathOf(orderId)}/disputes` }, disputesSchema, signal),
    acceptDispute: (disputeId, signal) =>
      callForDispute(disputeId, { method: 'PUT', path: `${disputePathOf(disputeId)}/accept` }, signal),
    async uploadDocument(disputeId, { fields, file }, signal) {
      const { contentType, body } = await encodeMultipart(fields, file);
      const headers = { ...commonHeaders, 'content-type': contentType };
      const path = `/pg${disputePathOf(disputeId)}/documents`;
      return readReply(await http.send({ method: 'POST', path, headers, body }, signal), z.unknown());
    },
    deleteInstrument: (customerId, instrumentId, signal) => {
      const path = `${instrumentsPathOf(customerId)}/${encodeURIComponent(instrumentId)}`;
      return call({ method: 'DELETE', path }, z.unknown(), signal);
    },
    getSettlements: (body, signal) =>
      call({ method: 'POST', path: '/settlements', body, isLong: true }, settlementsSchema, signal),
    getSettlementEvents: (body, signal) =>
      call({ method: 'POST', path: '/settlement/recon', body, isLong: true }, settlementEventsSchema, signal),
  };
}

function readReply<Schema extends z.ZodType>(answer: ProviderAnswer, schema: Schema): Reply<z.output<Schema>> {
  const { status, text } = answer;
  const body = parseJson(text);
  if (status === 200) {
    const parsed = schema.safeParse(body);
    if (parsed.success) return { kind: 'done', value: parsed.data };
    throw new ProviderOutageError('TSP_ERROR', 'the answer cannot be read');
  }
  const error = errorSchema.safeParse(body).data ?? {};
  const meaning = meaningOf(status, error);
  if (isOutage(meaning)) throw new ProviderOutageError(meaning, `Cashfree answered with status ${status}`);
  if (meaning === 'credentials_refused') {
    throw new CredentialsRefusedError(`Cashfree refuses the client id or the client secret (status ${status})`);
  }
  const providerResponse = redactProviderResponse({ status, body: body ?? text });
  return { kind: 'refused', status, meaning, advised: adviceOfRefusal(error.code), providerResponse };
}

/** The answer. @throws ProviderOutageError where the request, which must be possible, was refused */
export function doneOf<Value>(reply: Reply<Value>): Value {
  if (reply.kind === 'done') return reply.value;
  throw new ProviderOutageError('TSP_ERROR', `Cashfree refused the request with status ${reply.status}`);
}

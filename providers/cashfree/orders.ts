import type { CardPaymentMethod, CreateOrderRequest, PayOrderRequest } from 'cashfree-pg';
import type { Approved, AuthorizationOutcome, InquiryOutcome, RequiresAction } from '../../domain/provider-outcome.ts';
import type { AuthorizationRequest, InquiryRequest, MethodToCharge } from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { unknownToken } from '../unknown-token.ts';
import { type CashfreeClient, doneOf, type Refusal } from './client.ts';
import type { CashfreeCredentials } from './credentials.ts';
import type { CashfreeOrder, CashfreeSession } from './messages.ts';
import { CASHFREE_CURRENCY, rupeesOf } from './money.ts';
import { chargeOf, isOpenOrder, nextActionOf, type OpenOrder, orderOutcomeOf } from './outcomes.ts';
import { customerIdOf, sessionKeyOf } from './references.ts';
import { isKept, payerOf } from './saved-cards.ts';

/** Ten digits, also after India's code or a leading zero: Cashfree takes the ten alone. */
const PHONE = /^(?:\+91|0091|91|0)?(\d{10})$/;
/** How people group digits. */
const GROUPING = /[\s().-]/g;
/** Of at most 250 characters. */
const RETURN_URL = /^https:\/\/.{1,242}$/;
/** Cashfree's sandbox holds a payment only if the order's note says so. */
const SANDBOX_HOLD = 'preauth_transaction';
/** The notes that Cashfree accepts. */
const NOTE = /^.{3,200}$/;

/** An attempt is an order at Cashfree, whose id is the attempt's. */
export interface CashfreeOrders {
  /** Creates the order, and begins its one payment. */
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationOutcome>;
  inquire(request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome>;
  close(request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome>;
  /** The outcome of the order of an attempt. */
  find(attemptId: string, signal: AbortSignal): Promise<InquiryOutcome | OpenOrder>;
}

/** One account at Cashfree. */
interface Account {
  readonly client: CashfreeClient;
  /** For customers without a phone number. */
  readonly fallbackPhone: string;
  /** Whether Cashfree holds every card payment of the account. */
  readonly isPreauthorized: boolean;
}

/** The orders of one account. */
export function createOrders(
  client: CashfreeClient,
  { fallbackPhone, preauthorization: isPreauthorized }: Pick<CashfreeCredentials, 'fallbackPhone' | 'preauthorization'>,
): CashfreeOrders {
  const account: Account = { client, fallbackPhone, isPreauthorized };
  return {
    authorize: (request, signal) => authorize(account, request, signal),
    inquire: (request, signal) => inquire(account, request, signal),
    close: (request, signal) => close(account, request, signal),
    find: async (attemptId, signal) => outcomeOf(account, doneOf(await client.getOrder(attemptId, signal)), signal),
  };
}

/** @returns null for no phone number in India */
function phoneIn(text: string): string | null {
  return PHONE.exec(text.replaceAll(GROUPING, ''))?.[1] ?? null;
}

async function authorize(
  account: Account,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const { client, fallbackPhone, isPreauthorized } = account;
  const { attemptId, metadata } = request;
  const phone = phoneIn(metadata.customer_phone ?? '') ?? fallbackPhone;
  const details = detailsOf(request, isPreauthorized);
  const created = await client.createOrder({ ...orderBodyOf(request, payerOf(request), phone), ...details }, signal);
  if (created.kind === 'done') return beginPayment(account, created.value, request, signal);
  if (created.meaning !== 'already_exists') return refusalOf(created);
  const order = doneOf(await client.getOrder(attemptId, signal));
  const outcome = await outcomeOf(account, order, signal);
  if (isOpenOrder(outcome)) return beginPayment(account, order, request, signal);
  if (outcome.kind === 'not_charged') throw new ProviderOutageError('TSP_ERROR', 'the order has been closed');
  return outcome;
}

/** Nothing is charged before the customer acts, and nobody else knows the session. */
async function beginPayment(
  { client }: Account,
  order: CashfreeOrder,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  await request.storePaymentId(order.cf_order_id);
  const reply = await client.pay(payBodyOf(order, request.method), sessionKeyOf(request.attemptId), signal);
  if (reply.kind === 'refused') {
    return (await isTokenGone(client, request, signal)) ? unknownToken(order.cf_order_id) : refusalOf(reply);
  }
  const action = actionOf(reply.value);
  if (action === null) throw new ProviderOutageError('TSP_ERROR', 'the answer has no link for the customer');
  return action;
}

/** Cashfree has no error of its own for a saved card that it does not keep: so it is asked. */
async function isTokenGone(
  client: CashfreeClient,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { method } = request;
  return method.type === 'saved_card_token' && !(await isKept(client, payerOf(request), method.token, signal));
}

async function inquire(account: Account, request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome> {
  const order = await requireOrder(account, request, signal);
  const found = await outcomeOf(account, order, signal);
  const pending = { kind: 'pending', providerPaymentId: request.providerPaymentId ?? order.cf_order_id } as const;
  if (found === 'waiting') return (await findAction(account, order, request, signal)) ?? pending;
  const outcome = found === 'unpaid' ? await terminate(account, order.order_id, signal) : found;
  const isToBeCaptured = outcome.kind === 'approved' && !outcome.captured && request.captureMethod === 'automatic';
  if (!isToBeCaptured || !agrees(outcome, request)) return outcome;
  return captureWhole(account, outcome, order.order_id, signal);
}

/**
 * What the customer has to do. If it was never recorded, repeats the payment's first request, to which Cashfree gives the same
 * answer; null if that is not possible.
 */
async function findAction(
  { client }: Account,
  order: CashfreeOrder,
  { attemptId, nextAction, providerPaymentId, loadAuthorization }: InquiryRequest,
  signal: AbortSignal,
): Promise<RequiresAction | null> {
  if (nextAction !== null) return { kind: 'requires_action', providerPaymentId, nextAction };
  const method = await loadAuthorization().then(
    (authorization) => authorization.method,
    () => null,
  );
  if (method === null) return null;
  const reply = await client.pay(payBodyOf(order, method), sessionKeyOf(attemptId), signal);
  return reply.kind === 'refused' ? null : actionOf(reply.value);
}

/** Null if Cashfree gives no link. */
function actionOf(session: CashfreeSession): RequiresAction | null {
  const nextAction = nextActionOf(session);
  return nextAction === null ? null : { kind: 'requires_action', providerPaymentId: session.cf_payment_id, nextAction };
}

/** Cashfree holds every card payment of an account with preauthorization. */
async function captureWhole(
  { client, isPreauthorized }: Account,
  held: Approved,
  attemptId: string,
  signal: AbortSignal,
): Promise<InquiryOutcome> {
  const body = { action: 'CAPTURE', amount: rupeesOf(held.amountMinor) } as const;
  return chargeOf(doneOf(await client.authorize(attemptId, body, signal)), isPreauthorized);
}

async function close(account: Account, request: InquiryRequest, signal: AbortSignal): Promise<InquiryOutcome> {
  const { client, isPreauthorized } = account;
  const order = await requireOrder(account, request, signal);
  const outcome = await outcomeOf(account, order, signal);
  if (isOpenOrder(outcome)) return terminate(account, order.order_id, signal);
  if (outcome.kind === 'approved' && !outcome.captured) {
    const payment = doneOf(await client.authorize(order.order_id, { action: 'VOID' }, signal));
    return requireEnd(orderOutcomeOf(order, [payment], isPreauthorized));
  }
  const isChecked = outcome.kind === 'pending' && order.order_status === 'ACTIVE';
  return isChecked ? terminate(account, order.order_id, signal) : outcome;
}

async function terminate(account: Account, orderId: string, signal: AbortSignal): Promise<InquiryOutcome> {
  const { client } = account;
  const reply = await client.terminateOrder(orderId, signal);
  // The order may have been paid meanwhile.
  const order = reply.kind === 'done' ? reply.value : doneOf(await client.getOrder(orderId, signal));
  return requireEnd(await outcomeOf(account, order, signal));
}

/**
 * The order of an attempt. Creates it if there never was one, so that a late request cannot.
 * @throws ProviderOutageError if an order that was created is not found: the credentials may be those of another account, and the
 *   customer may still pay the order
 */
async function requireOrder(
  { client, fallbackPhone }: Account,
  request: InquiryRequest,
  signal: AbortSignal,
): Promise<CashfreeOrder> {
  const { attemptId, providerPaymentId } = request;
  const found = await client.getOrder(attemptId, signal);
  const wasNeverCreated = found.kind === 'refused' && found.meaning === 'not_found' && providerPaymentId === null;
  if (!wasNeverCreated) return doneOf(found);
  const created = await client.createOrder(orderBodyOf(request, customerIdOf(attemptId), fallbackPhone), signal);
  const exists = created.kind === 'refused' && created.meaning === 'already_exists';
  return doneOf(exists ? await client.getOrder(attemptId, signal) : created);
}

async function outcomeOf(
  { client, isPreauthorized }: Account,
  order: CashfreeOrder,
  signal: AbortSignal,
): Promise<InquiryOutcome | OpenOrder> {
  return orderOutcomeOf(order, await client.getPayments(order.order_id, signal), isPreauthorized);
}

function requireEnd(outcome: InquiryOutcome | OpenOrder): InquiryOutcome {
  if (isOpenOrder(outcome)) throw new ProviderOutageError('TSP_ERROR', 'the order is still open');
  return outcome;
}

/** Another amount than requested is never captured: a person has to look at it. */
function agrees(held: Approved, { amountMinor, currency }: InquiryRequest): boolean {
  return held.amountMinor === amountMinor && held.currency === currency;
}

type OrderTerms = Pick<InquiryRequest, 'attemptId' | 'amountMinor'>;

function orderBodyOf({ attemptId, amountMinor }: OrderTerms, payer: string, phone: string): CreateOrderRequest {
  return {
    order_id: attemptId,
    order_amount: rupeesOf(amountMinor),
    order_currency: CASHFREE_CURRENCY,
    customer_details: { customer_id: payer, customer_phone: phone },
  };
}

/** The optional members, left out if Cashfree would not accept them. */
function detailsOf(
  request: AuthorizationRequest,
  isPreauthorized: boolean,
): Pick<CreateOrderRequest, 'order_note' | 'order_meta'> {
  const { reference, returnUrl, environment, method } = request;
  const isSandboxHold = isPreauthorized && environment === 'sandbox' && method.type !== 'upi';
  const note = isSandboxHold ? SANDBOX_HOLD : reference;
  return {
    ...(note === null || !NOTE.test(note) ? {} : { order_note: note }),
    ...(returnUrl === null || !RETURN_URL.test(returnUrl) ? {} : { order_meta: { return_url: returnUrl } }),
  };
}

/** Repeats must have the same body. A typed address is not used: NPCI has ended collect requests. */
function payBodyOf({ payment_session_id: session }: CashfreeOrder, method: MethodToCharge): PayOrderRequest {
  if (session == null) throw new ProviderOutageError('TSP_ERROR', 'the order has no payment session');
  if (method.type === 'card' || method.type === 'saved_card_token') {
    const isSaved = method.type === 'card' && method.saving !== undefined;
    const card = method.type === 'card' ? cardBodyOf(method) : savedCardBodyOf(method);
    return { payment_session_id: session, payment_method: { card }, ...(isSaved ? { save_instrument: true } : {}) };
  }
  return { payment_session_id: session, payment_method: { upi: { channel: 'link' } } };
}

function savedCardBodyOf({
  token,
  cvc,
}: Extract<MethodToCharge, { type: 'saved_card_token' }>): CardPaymentMethod['card'] {
  return { channel: 'link', instrument_id: token, ...(cvc === null ? {} : { card_cvv: cvc }) };
}

function cardBodyOf(card: Extract<MethodToCharge, { type: 'card' }>): CardPaymentMethod['card'] {
  const { number, expiryMonth, expiryYear, cvc, holderName } = card;
  return {
    channel: 'link',
    card_number: number,
    card_expiry_mm: String(expiryMonth).padStart(2, '0'),
    card_expiry_yy: String(expiryYear % 100).padStart(2, '0'),
    ...(cvc === null ? {} : { card_cvv: cvc }),
    ...(holderName === null ? {} : { card_holder_name: holderName }),
  };
}

/** @throws ProviderOutageError where an earlier request may have been carried out */
function refusalOf({ meaning, advised, providerResponse }: Refusal): AuthorizationOutcome {
  switch (meaning) {
    case 'already_exists':
      throw new ProviderOutageError('TSP_ERROR', 'the request is a repeat of another');
    case 'not_found':
    case 'refund_refused':
    case 'unrecognised':
    case 'unknown_form':
      return { kind: 'unrecognised', providerResponse };
    default:
      return { kind: 'declined', providerPaymentId: null, code: meaning, ...advised };
  }
}

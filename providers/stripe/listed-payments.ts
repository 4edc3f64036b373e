import type Stripe from 'stripe';
import { isId } from '../../domain/ids.ts';
import type { ListedPayment, ListedRefund } from '../../domain/reconciliation.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { AttemptReference, PaymentListPage, PaymentListRequest } from '../payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import {
  listedIntentSchema,
  listedEventsSchema,
  listedIntentsSchema,
  refundListSchema,
  type StripeListedEvent,
  type StripeListedIntent,
  type StripeRefund,
} from './messages.ts';
import { fromStripeAmount } from './money.ts';
import { isRefused, refusedRead, type StripeApi } from './stripe-api.ts';

export const PAGE_SIZE = 100;
export const MAXIMUM_PAGES = 300;

/** The beginning of the cursors with which the payments are listed that were created before the window and changed in it. */
const CHANGED = 'changed:';

/**
 * One page of the PaymentIntents that were created in a window, the newest first, and after them of those of this engine that were
 * created before and changed in it: Stripe lists payments by their creation alone, so its events of the window tell these. Without
 * the right to read events (status 403) the list ends with the new payments.
 */
export async function listPayments(
  api: StripeApi,
  request: PaymentListRequest,
  signal: AbortSignal,
): Promise<PaymentListPage> {
  if (request.cursor?.startsWith(CHANGED) === true) return listChanged(api, request, signal);
  const { payments, nextCursor } = await listCreated(api, request, signal);
  return { payments, nextCursor: nextCursor ?? CHANGED };
}

/** Events after which a payment is as the webhooks of it would have told. */
const CHANGES = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.amount_capturable_updated',
  'charge.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
] as const;

async function listChanged(
  api: StripeApi,
  { window, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<PaymentListPage> {
  const after = cursor?.slice(CHANGED.length) ?? '';
  const params = {
    created: createdIn(window),
    types: [...CHANGES],
    limit: PAGE_SIZE,
    ...(after === '' ? {} : { starting_after: after }),
  } satisfies Stripe.EventListParams;
  const listed = await withoutRight(
    api.send({ method: 'GET', path: '/v1/events', params }, listedEventsSchema, signal),
  );
  if (listed === null) return { payments: [], nextCursor: null };
  if (isRefused(listed)) throw refusedRead(listed);
  const payments: ListedPayment[] = [];
  for (const [id, changedAt] of changesIn(listed.data)) {
    const payment = await readChanged(api, id, { changedAt, from: window.from }, signal);
    if (payment !== null) payments.push(payment);
  }
  const last = listed.data.at(-1)?.id;
  return { payments, nextCursor: listed.has_more && last !== undefined ? `${CHANGED}${last}` : null };
}

/** What was read; null where the key has no right to read it. */
export async function withoutRight<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CredentialsRefusedError) return null;
    throw error;
  }
}

/** The payments that a page of events names, and when each changed last, in seconds since 1970. */
function changesIn(events: readonly StripeListedEvent[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const { created, data } of events) {
    const { id, object, payment_intent: ofObject } = data.object;
    const intentId = ofObject ?? (object === 'payment_intent' ? id : null);
    if (intentId != null) changes.set(intentId, Math.max(created, changes.get(intentId) ?? 0));
  }
  return changes;
}

/** Null for a payment of another system, and for one that was listed by its creation already. */
async function readChanged(
  api: StripeApi,
  id: string,
  { changedAt, from }: { readonly changedAt: number; readonly from: Date },
  signal: AbortSignal,
): Promise<ListedPayment | null> {
  const params = { expand: ['latest_charge.refunds'] } satisfies Stripe.PaymentIntentRetrieveParams;
  const found = await api.send({ method: 'GET', path: pathOf(id), params }, listedIntentSchema, signal);
  if (isRefused(found)) throw refusedRead(found);
  const isOurs = isId('attempt', found.metadata.attempt_id ?? '');
  if (!isOurs || found.created * SECOND_MS >= from.getTime()) return null;
  const payment = await listedPaymentOf(api, found, signal);
  return { ...payment, updatedAt: timeOf(Math.max(changedAt, Date.parse(payment.updatedAt) / SECOND_MS)) };
}

function createdIn({ from, to }: PaymentListRequest['window']) {
  return { gte: Math.floor(from.getTime() / SECOND_MS), lte: Math.ceil(to.getTime() / SECOND_MS) };
}

async function listCreated(
  api: StripeApi,
  { window, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<PaymentListPage> {
  const params = {
    created: createdIn(window),
    limit: PAGE_SIZE,
    expand: ['data.latest_charge.refunds'],
    ...(cursor === null ? {} : { starting_after: cursor }),
  } satisfies Stripe.PaymentIntentListParams;
  const listed = await api.send({ method: 'GET', path: '/v1/payment_intents', params }, listedIntentsSchema, signal);
  if (isRefused(listed)) throw refusedRead(listed);
  const payments: ListedPayment[] = [];
  for (const intent of listed.data) payments.push(await listedPaymentOf(api, intent, signal));
  return { payments, nextCursor: listed.has_more ? (listed.data.at(-1)?.id ?? null) : null };
}

/** The PaymentIntent of an attempt. One whose id was never stored was never confirmed, and has charged nothing. */
export async function findPayment(
  api: StripeApi,
  { providerPaymentId, attemptId }: AttemptReference,
  signal: AbortSignal,
): Promise<ListedPayment | null> {
  if (providerPaymentId === null) return null;
  const params = { expand: ['latest_charge.refunds'] } satisfies Stripe.PaymentIntentRetrieveParams;
  const found = await api.send({ method: 'GET', path: pathOf(providerPaymentId), params }, listedIntentSchema, signal);
  if (!isRefused(found)) {
    return found.metadata.attempt_id === attemptId ? listedPaymentOf(api, found, signal) : null;
  }
  if (found.error?.code === 'resource_missing') return null;
  throw refusedRead(found);
}

/** The refunds of a payment, newest first. */
export async function* refundsOf(
  api: StripeApi,
  intentId: string,
  signal: AbortSignal,
): AsyncGenerator<StripeRefund, void> {
  let after: string | undefined;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const params = {
      payment_intent: intentId,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { starting_after: after }),
    } satisfies Stripe.RefundListParams;
    const listed = await api.send({ method: 'GET', path: '/v1/refunds', params }, refundListSchema, signal);
    if (isRefused(listed)) throw refusedRead(listed);
    yield* listed.data;
    after = listed.data.at(-1)?.id;
    if (!listed.has_more || after === undefined) return;
  }
  throw new ProviderOutageError('TSP_ERROR', 'the payment has too many refunds');
}

export function pathOf(intentId: string): string {
  return `/v1/payment_intents/${encodeURIComponent(intentId)}`;
}

async function listedPaymentOf(
  api: StripeApi,
  intent: StripeListedIntent,
  signal: AbortSignal,
): Promise<ListedPayment> {
  const { id, metadata, amount, amount_capturable: capturable, amount_received: received, created } = intent;
  const { latest_charge: charge } = intent;
  const status = statusOf(intent);
  const refunds = await allRefunds(api, intent, signal);
  const changes = [created, charge?.created ?? created, ...refunds.map((refund) => refund.created)];
  return {
    attemptId: isId('attempt', metadata.attempt_id ?? '') ? (metadata.attempt_id ?? null) : null,
    providerPaymentId: id,
    status,
    ...listedMoney(status === 'held' ? capturable : amount, intent.currency),
    capturedMinor: status === 'captured' ? listedMoney(received, intent.currency).amountMinor : 0,
    refunds: refunds.map(listedRefundOf),
    createdAt: timeOf(created),
    updatedAt: timeOf(Math.max(...changes)),
  };
}

async function allRefunds(
  api: StripeApi,
  { id, latest_charge: charge }: StripeListedIntent,
  signal: AbortSignal,
): Promise<readonly StripeRefund[]> {
  const { data = [], has_more: hasMore = false } = charge?.refunds ?? {};
  if (!hasMore) return data;
  const refunds: StripeRefund[] = [];
  for await (const refund of refundsOf(api, id, signal)) refunds.push(refund);
  return refunds;
}

function statusOf({ status, last_payment_error: error, latest_charge: charge }: StripeListedIntent) {
  switch (status) {
    case 'requires_capture':
      return 'held';
    case 'succeeded':
      return 'captured';
    case 'requires_payment_method':
      return error === null ? 'open' : 'declined';
    case 'canceled':
      return charge?.status === 'succeeded' && !charge.captured ? 'voided' : 'failed';
    default:
      return 'open';
  }
}

function listedRefundOf(refund: StripeRefund): ListedRefund {
  const refundId = refund.metadata?.refund_id ?? '';
  const isOurs = isId('refund', refundId) || isId('strayCharge', refundId);
  return {
    refundId: isOurs ? refundId : null,
    providerRefundId: refund.id,
    ...listedMoney(refund.amount, refund.currency),
    status: refundStatusOf(refund.status),
  };
}

function refundStatusOf(status: string | null): ListedRefund['status'] {
  if (status === 'failed' || status === 'canceled') return 'failed';
  return status === 'succeeded' ? 'succeeded' : 'pending';
}

/** A fraction of a minor unit, which can only be of another system's payment, is rounded. */
function listedMoney(amount: number, currency: string) {
  return {
    amountMinor: fromStripeAmount(amount, currency) ?? Math.round(amount / 100),
    currency: currency.toUpperCase(),
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * SECOND_MS).toISOString();
}

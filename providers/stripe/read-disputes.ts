import type Stripe from 'stripe';
import type { DisputeReport } from '../../domain/dispute.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { withEventIds } from '../dispute-reports.ts';
import type { DisputeListPage, DisputeReference, PaymentListRequest } from '../payment-provider.ts';
import { disputeReportOf } from './disputes.ts';
import { PAGE_SIZE, withoutRight } from './listed-payments.ts';
import { disputeEventsSchema, listedDisputesSchema, readDisputeSchema, type StripeDispute } from './messages.ts';
import { fromStripeAmount } from './money.ts';
import { isRefused, refusedRead, type StripeApi } from './stripe-api.ts';

export function disputePathOf(disputeId: string): string {
  return `/v1/disputes/${encodeURIComponent(disputeId)}`;
}

/** The present as Stripe writes times, in seconds: what it answers is at least as new. */
export function nowAtStripe(): number {
  return Math.floor(Date.now() / SECOND_MS);
}

/** All that Stripe says of a dispute. */
export async function inquireDispute(
  api: StripeApi,
  { providerReference }: Pick<DisputeReference, 'providerReference'>,
  signal: AbortSignal,
): Promise<readonly DisputeReport[]> {
  const askedAt = nowAtStripe();
  const path = disputePathOf(providerReference);
  const found = await api.send({ method: 'GET', path }, readDisputeSchema, signal);
  if (isRefused(found)) throw refusedRead(found);
  return reportsOf(found, askedAt);
}

/**
 * The reports that a dispute's webhooks would have brought: of its money, which is in its balance transactions, and of its present status,
 * which is the last one.
 * @param askedAt when it was asked for, in seconds since 1970
 */
export function reportsOf(dispute: StripeDispute, askedAt: number): readonly DisputeReport[] {
  const moved = (dispute.balance_transactions ?? []).map(({ amount, created }) => {
    const providerEvent = amount < 0 ? 'charge.dispute.funds_withdrawn' : 'charge.dispute.funds_reinstated';
    // The status of that time is not known any more.
    return { ...disputeReportOf({ ...dispute, status: undefined }, providerEvent, created), unknownStatus: null };
  });
  return [...moved, disputeReportOf(dispute, 'charge.dispute.updated', askedAt)];
}

const EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

/** The beginning of the cursors with which disputes are listed by their creation. */
const CREATED = 'created:';

/**
 * One page of the events about disputes in a window: those that webhooks bring, under their ids. An account whose key may not read events
 * lists the disputes that were created in the window.
 */
export async function listDisputes(
  api: StripeApi,
  request: PaymentListRequest,
  signal: AbortSignal,
): Promise<DisputeListPage> {
  if (request.cursor?.startsWith(CREATED) === true) return listCreated(api, request, signal);
  const page = await withoutRight(listEvents(api, request, signal));
  return page ?? listCreated(api, { ...request, cursor: CREATED }, signal);
}

async function listEvents(
  api: StripeApi,
  { window, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<DisputeListPage> {
  const params = {
    created: createdIn(window),
    types: [...EVENTS],
    limit: PAGE_SIZE,
    ...(cursor === null ? {} : { starting_after: cursor }),
  } satisfies Stripe.EventListParams;
  const listed = await api.send({ method: 'GET', path: '/v1/events', params }, disputeEventsSchema, signal);
  if (isRefused(listed)) throw refusedRead(listed);
  const disputes = listed.data.flatMap(({ id: eventId, type, created, data }) => {
    const dispute = readDisputeSchema.safeParse(data.object).data;
    if (dispute?.payment_intent == null || isOfOtherUnit(dispute)) return [];
    const reports = [{ ...disputeReportOf(dispute, type, created), eventId }];
    return [{ attemptId: null, providerPaymentId: dispute.payment_intent, reports }];
  });
  return { disputes, nextCursor: listed.has_more ? (listed.data.at(-1)?.id ?? null) : null };
}

async function listCreated(
  api: StripeApi,
  { window, cursor }: PaymentListRequest,
  signal: AbortSignal,
): Promise<DisputeListPage> {
  const after = cursor?.slice(CREATED.length) ?? '';
  const params = {
    created: createdIn(window),
    limit: PAGE_SIZE,
    ...(after === '' ? {} : { starting_after: after }),
  } satisfies Stripe.DisputeListParams;
  const askedAt = nowAtStripe();
  const listed = await api.send({ method: 'GET', path: '/v1/disputes', params }, listedDisputesSchema, signal);
  if (isRefused(listed)) throw refusedRead(listed);
  const readable = listed.data.filter((dispute) => !isOfOtherUnit(dispute));
  const disputes = readable.map((dispute) => ({
    attemptId: null,
    providerPaymentId: dispute.payment_intent ?? null,
    reports: withEventIds(reportsOf(dispute, askedAt)),
  }));
  const last = listed.data.at(-1)?.id;
  return { disputes, nextCursor: listed.has_more && last !== undefined ? `${CREATED}${last}` : null };
}

/** Whether the amount is none that the engine can have charged: the account has disputes of other systems too. */
function isOfOtherUnit({ amount, currency }: StripeDispute): boolean {
  return amount != null && currency != null && fromStripeAmount(amount, currency) === null;
}

function createdIn({ from, to }: PaymentListRequest['window']) {
  return { gte: Math.floor(from.getTime() / SECOND_MS), lte: Math.ceil(to.getTime() / SECOND_MS) };
}

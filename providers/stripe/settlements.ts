import type Stripe from 'stripe';
import { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import type {
  ReportedSettlement,
  ReportedSettlementEntry,
  SettlementEntryType,
  SettlementFee,
} from '../../domain/settlement.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { ListedPage, SettlementEntryListRequest, SettlementListRequest } from '../payment-provider.ts';
import { noteUnknownValue, reportedText } from '../reported-values.ts';
import { PAGE_SIZE } from './listed-payments.ts';
import { fromStripeAmount } from './money.ts';
import { isRefused, refusedRead, type StripeApi } from './stripe-api.ts';

const seconds = z.int().nonnegative();
const word = reportedText(100);

const payoutSchema = z.object({
  id: word,
  status: word,
  amount: z.int(),
  currency: word,
  arrival_date: seconds,
  /** Absent in older answers; the value comes days after the payout. */
  trace_id: z.object({ value: word.nullish() }).nullish(),
});

export const payoutsSchema = z.object({ data: z.array(payoutSchema).max(PAGE_SIZE), has_more: z.boolean() });

/** An object by its id alone, or expanded. */
const idOf = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((of) => (typeof of === 'string' ? of : of.id));

/** What a balance transaction is about, as far as this engine needs it; other kinds of objects have other members. */
const sourceSchema = z.looseObject({
  id: word,
  object: word,
  amount: z.int().optional(),
  amount_captured: z.int().nullish(),
  currency: word.optional(),
  payment_intent: idOf.nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

const balanceTransactionSchema = z.object({
  id: word,
  type: word,
  reporting_category: word,
  amount: z.int(),
  fee: z.int(),
  fee_details: z.array(z.object({ type: word, amount: z.int() })),
  net: z.int(),
  currency: word,
  exchange_rate: z.number().positive().nullish(),
  created: seconds,
  available_on: seconds,
  source: z.union([sourceSchema, z.string()]).nullish(),
});

export const balanceTransactionsSchema = z.object({
  data: z.array(balanceTransactionSchema).max(PAGE_SIZE),
  has_more: z.boolean(),
});

/** One page of the payouts that were created since a time, the newest first. */
export async function listSettlements(
  api: StripeApi,
  { since, cursor }: SettlementListRequest,
  signal: AbortSignal,
): Promise<ListedPage<ReportedSettlement>> {
  const params = {
    created: { gte: Math.floor(since.getTime() / SECOND_MS) },
    limit: PAGE_SIZE,
    ...(cursor === null ? {} : { starting_after: cursor }),
  } satisfies Stripe.PayoutListParams;
  const listed = await api.send({ method: 'GET', path: '/v1/payouts', params }, payoutsSchema, signal);
  if (isRefused(listed)) throw refusedRead(listed);
  return { items: listed.data.map(settlementOf), nextCursor: nextCursorOf(listed) };
}

/**
 * One page of the balance transactions of a payout, without that of the payout itself. None of a payout that was made by hand, which
 * Stripe cannot itemise, and refuses with status 400.
 */
export async function listSettlementEntries(
  api: StripeApi,
  { settlementReference: payout, cursor }: SettlementEntryListRequest,
  signal: AbortSignal,
): Promise<ListedPage<ReportedSettlementEntry>> {
  const params = {
    payout,
    limit: PAGE_SIZE,
    expand: ['data.source'],
    ...(cursor === null ? {} : { starting_after: cursor }),
  } satisfies Stripe.BalanceTransactionListParams;
  const request = { method: 'GET', path: '/v1/balance_transactions', params } as const;
  const listed = await api.send(request, balanceTransactionsSchema, signal);
  if (isRefused(listed)) {
    if (listed.status === 400 && listed.error?.code !== 'resource_missing') return { items: [], nextCursor: null };
    throw refusedRead(listed);
  }
  const items = listed.data.filter(({ type }) => type !== 'payout').map(entryOf);
  return { items, nextCursor: nextCursorOf(listed) };
}

function nextCursorOf({ data, has_more: hasMore }: { data: readonly { id: string }[]; has_more: boolean }) {
  return hasMore ? (data.at(-1)?.id ?? null) : null;
}

const STATUSES: Readonly<Record<Stripe.Payout['status'], ReportedSettlement['status']>> = {
  pending: 'open',
  in_transit: 'open',
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
};

function settlementOf(payout: z.output<typeof payoutSchema>): ReportedSettlement {
  const { id, status: said, amount, currency, arrival_date: arrival, trace_id: trace } = payout;
  const status = new Map<string, ReportedSettlement['status']>(Object.entries(STATUSES)).get(said);
  if (status === undefined) noteUnknownValue('stripe payout status', said);
  return {
    providerReference: id,
    status: status ?? 'open',
    currency: currency.toUpperCase(),
    netAmountMinor: minorOf(amount, currency),
    arrivalDate: dateOf(arrival),
    bankReference: trace?.value ?? null,
  };
}

/** By Stripe's reporting category, which is finer than its type: a dispute has the type `adjustment`. */
const TYPES: ReadonlyMap<string, SettlementEntryType> = new Map([
  ['charge', 'payment'],
  ['refund', 'refund'],
  ['dispute', 'chargeback'],
  ['dispute_reversal', 'chargeback_reversal'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
  ['charge_failure', 'adjustment'],
  ['refund_failure', 'adjustment'],
  ['partial_capture_reversal', 'adjustment'],
  ['other_adjustment', 'adjustment'],
  ['risk_reserved_funds', 'reserve'],
  ['payout_minimum_balance_hold', 'reserve'],
  ['payout_minimum_balance_release', 'reserve'],
  ['connect_reserved_funds', 'reserve'],
  ['transfer', 'transfer'],
  ['transfer_reversal', 'transfer'],
  ['topup', 'transfer'],
  ['topup_reversal', 'transfer'],
  ['payout_reversal', 'transfer'],
  ['currency_conversion', 'fx'],
]);

const FEES: ReadonlyMap<string, SettlementFee['type']> = new Map([
  ['stripe_fee', 'provider'],
  ['tax', 'tax'],
  ['payment_method_passthrough_fee', 'scheme'],
]);

type BalanceTransaction = z.output<typeof balanceTransactionSchema>;

function entryOf(transaction: BalanceTransaction): ReportedSettlementEntry {
  const { id, reporting_category: category, amount, fee, fee_details: fees, net, currency } = transaction;
  return {
    type: TYPES.get(category) ?? 'other',
    providerType: category,
    providerReference: id,
    matches: matchesOf(transaction),
    amountMinor: minorOf(amount, currency),
    feeMinor: minorOf(fee, currency),
    feeDetails: fees.map((part) => ({
      type: FEES.get(part.type) ?? 'other',
      amountMinor: minorOf(part.amount, currency),
    })),
    netMinor: minorOf(net, currency),
    currency: currency.toUpperCase(),
    ...originalOf(transaction),
    exchangeRate: transaction.exchange_rate?.toString() ?? null,
    occurredAt: new Date(transaction.created * SECOND_MS).toISOString(),
    availableOn: dateOf(transaction.available_on),
  };
}

/** A charge has the metadata of its payment, and a refund its own. */
function matchesOf({ source }: BalanceTransaction): ReportedSettlementEntry['matches'] {
  if (source == null || typeof source === 'string') return {};
  const { id, object, payment_intent: intent, metadata } = source;
  const ofPayment = intent == null ? {} : { providerPaymentReference: intent };
  const { attempt_id: attemptId, refund_id: refundId } = metadata ?? {};
  switch (object) {
    case 'charge':
      return { ...ofPayment, ...(isOurs('attempt', attemptId) ? { attemptId } : {}) };
    case 'refund':
      return { ...ofPayment, refundId: isOurs('refund', refundId) ? refundId : id };
    case 'dispute':
      return { ...ofPayment, disputeReference: id };
    default:
      return ofPayment;
  }
}

function isOurs(kind: 'attempt' | 'refund', id: string | undefined): id is string {
  return id !== undefined && isId(kind, id);
}

/** The amount in the currency of the payment, where Stripe has exchanged it. */
function originalOf({
  amount,
  currency,
  source,
}: BalanceTransaction): Pick<ReportedSettlementEntry, 'originalAmountMinor' | 'originalCurrency'> {
  const of = source == null || typeof source === 'string' ? {} : source;
  const { amount: whole, amount_captured: captured, currency: original } = of as Partial<z.output<typeof sourceSchema>>;
  const said = captured ?? whole;
  if (said === undefined || original === undefined || original === currency) {
    return { originalAmountMinor: null, originalCurrency: null };
  }
  const signed = Math.sign(amount) * Math.abs(minorOf(said, original));
  return { originalAmountMinor: signed, originalCurrency: original.toUpperCase() };
}

/** A fraction of a minor unit is rounded. */
function minorOf(amount: number, currency: string): number {
  return fromStripeAmount(amount, currency) ?? Math.round(amount / 100);
}

function dateOf(time: number): string {
  return new Date(time * SECOND_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

import type { FetchSettlementsRequest } from 'cashfree-pg';
import { isId } from '../../domain/ids.ts';
import { isSupportedCurrency } from '../../domain/currencies.ts';
import type {
  ReportedSettlement,
  ReportedSettlementEntry,
  SettlementEntrySubject,
  SettlementEntryType,
  SettlementFee,
} from '../../domain/settlement.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { noteUnknownValue, reportedTime } from '../reported-values.ts';
import { type CashfreeClient, doneOf } from './client.ts';
import type { CashfreeSettlements, CashfreeSettlementEvents } from './messages.ts';
import { CASHFREE_CURRENCY, minorOf } from './money.ts';
import { refundIdOf } from './references.ts';

type SettlementPages = Required<Pick<PaymentProvider, 'listSettlements' | 'listSettlementEntries'>>;

const SETTLEMENTS_PER_PAGE = 100;
/** The most that Cashfree lists at once. */
const ENTRIES_PER_PAGE = 1_000;

type CashfreeSettlement = NonNullable<CashfreeSettlements['data']>[number];
type CashfreeSettlementEvent = NonNullable<CashfreeSettlementEvents['data']>[number];

/** How the settlements of an account are listed. */
export function createSettlementPages(client: CashfreeClient): SettlementPages {
  return {
    async listSettlements({ since, cursor }, signal) {
      const dates = { start_date: since.toISOString(), end_date: new Date().toISOString() };
      const page = doneOf(await client.getSettlements(requestOf(dates, SETTLEMENTS_PER_PAGE, cursor), signal));
      const listed = page.data ?? [];
      return {
        items: joined(listed.map(settlementOf)),
        nextCursor: nextCursorOf(page.cursor, cursor, listed.length),
      };
    },
    async listSettlementEntries({ settlementReference, cursor }, signal) {
      const filters = { cf_settlement_ids: [settlementReference] };
      const page = doneOf(await client.getSettlementEvents(requestOf(filters, ENTRIES_PER_PAGE, cursor), signal));
      const listed = page.data ?? [];
      return { items: listed.map(entryOf), nextCursor: nextCursorOf(page.cursor, cursor, listed.length) };
    },
  };
}

function requestOf(
  filters: FetchSettlementsRequest['filters'],
  limit: number,
  cursor: string | null,
): FetchSettlementsRequest {
  return { pagination: { limit, ...(cursor === null ? {} : { cursor }) }, filters };
}

/** Cashfree gives a cursor with the last page, too. */
function nextCursorOf(next: string | null | undefined, last: string | null, listed: number): string | null {
  return listed === 0 || next == null || next === '' || next === last ? null : next;
}

const STATUSES: readonly (readonly [RegExp, ReportedSettlement['status']])[] = [
  [/^(PAID|SUCCESS|SETTLED)$/i, 'paid'],
  [/^REVERSED$/i, 'returned'],
  [/^(FAILED|REJECTED|CANCELLED)$/i, 'failed'],
];

function settlementOf(listed: CashfreeSettlement): ReportedSettlement {
  const providerReference = listed.cf_settlement_id ?? listed.settlement_id;
  if (providerReference == null) throw new ProviderOutageError('TSP_ERROR', 'a settlement has no id');
  const currency = listed.settlement_currency ?? CASHFREE_CURRENCY;
  const bankReference = listed.settlement_utr ?? listed.transfer_utr ?? listed.utr ?? null;
  const said = STATUSES.find(([pattern]) => pattern.test(listed.status ?? ''))?.[1] ?? 'open';
  return {
    providerReference,
    status: listed.status == null && bankReference !== null ? 'paid' : said,
    currency,
    netAmountMinor: signedMinorOf(listed.amount_settled ?? listed.settlement_amount ?? 0, currency),
    arrivalDate: dayOf(listed.settled_on ?? listed.transfer_time ?? listed.settlement_date),
    bankReference,
  };
}

/** Cashfree's days are those of India, in which its times are. */
function dayOf(time: string | null | undefined): string | null {
  return /^\d{4}-\d\d-\d\d/.exec(time ?? '')?.[0] ?? null;
}

/** The parts of one settlement are one. */
function joined(parts: readonly ReportedSettlement[]): readonly ReportedSettlement[] {
  const settlements = new Map<string, ReportedSettlement>();
  for (const part of parts) {
    const { netAmountMinor = 0 } = settlements.get(part.providerReference) ?? {};
    settlements.set(part.providerReference, { ...part, netAmountMinor: netAmountMinor + part.netAmountMinor });
  }
  return [...settlements.values()];
}

const TYPES: ReadonlyMap<string, SettlementEntryType> = new Map([
  ['PAYMENT', 'payment'],
  ['REFUND', 'refund'],
  ['REFUND_REVERSAL', 'adjustment'],
  ['DISPUTE', 'chargeback'],
  ['DISPUTE_REVERSAL', 'chargeback_reversal'],
  ['CHARGEBACK', 'chargeback'],
  ['CHARGEBACK_REVERSAL', 'chargeback_reversal'],
  ['OTHER_ADJUSTMENT', 'adjustment'],
]);

/** The types that take money from the merchant, where `sale_type` does not say it. */
const DEBITS: ReadonlySet<string> = new Set(['REFUND', 'DISPUTE', 'CHARGEBACK']);

function entryOf(listed: CashfreeSettlementEvent): ReportedSettlementEntry {
  const { event_details: event } = listed;
  const { event_id: id, event_type: providerType, event_currency: said } = event;
  const type = TYPES.get(providerType);
  if (type === undefined) noteUnknownValue('cashfree event_type', providerType);
  const sign = isDebit(event) ? -1 : 1;
  const original = said ?? CASHFREE_CURRENCY;
  const wholeMinor = sign * Math.abs(signedMinorOf(event.event_amount ?? 0, original));
  const isExchanged = original !== CASHFREE_CURRENCY;
  const charges = chargesOf(event);
  const chargedMinor = sumOf(charges);
  const netMinor =
    event.event_settlement_amount == null
      ? wholeMinor - chargedMinor
      : sign * Math.abs(signedMinorOf(event.event_settlement_amount, CASHFREE_CURRENCY));
  // Charges that Cashfree bills apart are not in this settlement.
  const feeMinor = isExchanged ? chargedMinor : wholeMinor - netMinor;
  return {
    type: type ?? 'other',
    providerType,
    providerReference: `${providerType}:${id}`,
    matches: subjectOf(listed),
    amountMinor: netMinor + feeMinor,
    feeMinor,
    feeDetails: withRest(charges, feeMinor - chargedMinor),
    netMinor,
    currency: CASHFREE_CURRENCY,
    originalAmountMinor: isExchanged ? wholeMinor : null,
    originalCurrency: isExchanged ? original : null,
    exchangeRate: null,
    occurredAt: timeOf(event.event_time),
    availableOn: null,
  };
}

function isDebit({ sale_type: said, event_type: type }: CashfreeSettlementEvent['event_details']): boolean {
  return said == null ? DEBITS.has(type) : said.toUpperCase() === 'DEBIT';
}

/** The charge and the tax on it (GST), which Cashfree reports apart. */
function chargesOf(event: CashfreeSettlementEvent['event_details']): readonly SettlementFee[] {
  const of = (rupees: number | null | undefined) => signedMinorOf(rupees ?? 0, CASHFREE_CURRENCY);
  return [
    { type: 'provider', amountMinor: of(event.event_service_charge) },
    { type: 'tax', amountMinor: of(event.event_service_tax) },
  ];
}

function withRest(charges: readonly SettlementFee[], restMinor: number): readonly SettlementFee[] {
  return [...charges, { type: 'other' as const, amountMinor: restMinor }].filter(
    ({ amountMinor }) => amountMinor !== 0,
  );
}

function sumOf(fees: readonly SettlementFee[]): number {
  return fees.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function subjectOf(listed: CashfreeSettlementEvent): SettlementEntrySubject {
  const { event_id: eventId, event_type: type } = listed.event_details;
  const orderId = listed.order_details?.order_id ?? '';
  const refundId = refundIdOf(listed.refund_details?.refund_id ?? '');
  const paymentId = listed.payment_details?.cf_payment_id ?? '';
  return {
    ...(isId('attempt', orderId) ? { attemptId: orderId } : {}),
    ...(refundId === undefined ? {} : { refundId }),
    ...(/^(DISPUTE|CHARGEBACK)/.test(type) ? { disputeReference: eventId } : {}),
    ...(paymentId === '' ? {} : { providerPaymentReference: paymentId }),
  };
}

function timeOf(time: string | null | undefined): string {
  const at = reportedTime(time);
  if (at === null) throw new ProviderOutageError('TSP_ERROR', 'an event of a settlement has no time');
  return at;
}

/** @throws ProviderOutageError where it is no whole number of minor units */
function signedMinorOf(rupees: number, currency: string): number {
  if (!isSupportedCurrency(currency)) throw new ProviderOutageError('TSP_ERROR', 'the reported currency is unknown');
  const amountMinor = minorOf(Math.abs(rupees), currency);
  return rupees < 0 ? -amountMinor : amountMinor;
}

import { currencyExponent, isSupportedCurrency } from '../../domain/currencies.ts';
import { isId } from '../../domain/ids.ts';
import { minorOfDecimal } from '../../domain/money.ts';
import type {
  ReportedSettlement,
  ReportedSettlementEntry,
  SettlementEntrySubject,
  SettlementEntryType,
  SettlementFee,
  SettlementReportItem,
} from '../../domain/settlement.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { CsvError, type CsvRecord, csvRecords } from '../csv-records.ts';
import { noteUnknownValue } from '../reported-values.ts';
import { parsePaymentReference } from './messages.ts';

/** The headings of the columns that are read. Accounts choose at Adyen in which order they are, and which others there are. */
const COLUMNS = {
  merchantAccount: 'Merchant Account',
  pspReference: 'Psp Reference',
  merchantReference: 'Merchant Reference',
  creationDate: 'Creation Date',
  timeZone: 'TimeZone',
  type: 'Type',
  modificationReference: 'Modification Reference',
  modificationMerchantReference: 'Modification Merchant Reference',
  grossCurrency: 'Gross Currency',
  grossDebit: 'Gross Debit (GC)',
  grossCredit: 'Gross Credit (GC)',
  exchangeRate: 'Exchange Rate',
  netCurrency: 'Net Currency',
  netDebit: 'Net Debit (NC)',
  netCredit: 'Net Credit (NC)',
  commission: 'Commission (NC)',
  markup: 'Markup (NC)',
  schemeFees: 'Scheme Fees (NC)',
  interchange: 'Interchange (NC)',
  batchNumber: 'Batch Number',
} as const;
type Column = keyof typeof COLUMNS;

/** The transfer to the merchant's bank: it is the settlement itself, and no entry. */
const PAYOUT = 'MerchantPayout';

/** What each type of a record means. The types of a chargeback are those of the events that report it. */
const TYPES: ReadonlyMap<string, SettlementEntryType> = new Map<string, SettlementEntryType>(
  Object.entries({
    Settled: 'payment',
    Refunded: 'refund',
    RefundedReversed: 'adjustment',
    Chargeback: 'chargeback',
    SecondChargeback: 'chargeback',
    ChargebackReversed: 'chargeback_reversal',
    Fee: 'fee',
    MiscCosts: 'fee',
    PaymentCost: 'fee',
    InvoiceDeduction: 'fee',
    DepositCorrection: 'reserve',
    Balancetransfer: 'transfer',
    ManualCorrected: 'adjustment',
    MatchedStatement: 'adjustment',
    BankInstructionReturned: 'adjustment',
    PaidOut: 'other',
    PaidOutReversed: 'other',
    EpaPaid: 'other',
  }),
);

const FEES = {
  commission: 'provider',
  markup: 'markup',
  schemeFees: 'scheme',
  interchange: 'interchange',
} as const satisfies Partial<Record<Column, SettlementFee['type']>>;

/** Hours by which each time zone is ahead of UTC, by the abbreviations that reports have. Those of two zones, such as IST, are left out. */
const TIME_ZONES: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({
    UTC: 0,
    GMT: 0,
    WET: 0,
    BST: 1,
    WEST: 1,
    CET: 1,
    CEST: 2,
    EET: 2,
    EEST: 3,
    MSK: 3,
    GST: 4,
    SGT: 8,
    HKT: 8,
    MYT: 8,
    AWST: 8,
    JST: 9,
    KST: 9,
    AEST: 10,
    AEDT: 11,
    NZST: 12,
    NZDT: 13,
    BRT: -3,
    EST: -5,
    EDT: -4,
    CDT: -5,
    MST: -7,
    MDT: -6,
    PST: -8,
    PDT: -7,
  }),
);

/** Whose report it has to be. */
interface ReportOwner {
  readonly merchantAccount: string;
}

/** A row that cannot be read. Its message names no value, which may be personal where columns are shifted. */
class RowError extends Error {}

/**
 * Reads Adyen's Settlement details report, a row at a time. A report may have several batches, and a batch several currencies: each
 * is a settlement, which is yielded before its first entry, and once more with its payout at the end of the report. After a problem
 * the other rows are read on, so that all problems are found; without the columns, no row is read.
 */
export async function* readSettlementReport(
  lines: AsyncIterable<string>,
  owner: ReportOwner,
): AsyncGenerator<SettlementReportItem> {
  try {
    yield* readRecords(csvRecords(lines), owner);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { problem: error.message, line: error.line };
  }
}

async function* readRecords(
  records: AsyncGenerator<CsvRecord>,
  owner: ReportOwner,
): AsyncGenerator<SettlementReportItem> {
  const headings = await records.next();
  const { line, cells: names } = headings.done === true ? { line: 1, cells: [] } : headings.value;
  const problem = problemOfHeadings(names);
  if (problem === null) yield* readRows(records, rowReader(names), owner);
  else yield { problem, line };
}

async function* readRows(
  records: AsyncGenerator<CsvRecord>,
  rowOf: (record: CsvRecord) => Row,
  owner: ReportOwner,
): AsyncGenerator<SettlementReportItem> {
  const settlements = new Map<string, ReportedSettlement>();
  let current: string | null = null;
  for await (const record of records) {
    const { line } = record;
    const row = orProblem(line, () => readRow(rowOf(record), owner));
    if ('problem' in row) {
      yield row;
      continue;
    }
    const { providerReference } = row.settlement;
    const settlement = withPayout(settlements.get(providerReference), row);
    settlements.set(providerReference, settlement);
    if (settlements.size > MAXIMUM_SETTLEMENTS) {
      yield { problem: `Expected at most ${MAXIMUM_SETTLEMENTS} batches; got more.`, line };
      return;
    }
    if (row.entry === null) continue;
    if (current !== providerReference) yield { settlement };
    current = providerReference;
    yield { entry: row.entry, line };
  }
  for (const settlement of settlements.values()) yield { settlement };
}

/** A report is of one batch, unless a company has joined some. */
const MAXIMUM_SETTLEMENTS = 1_000;

function problemOfHeadings(names: readonly string[]): string | null {
  const missing = Object.values(COLUMNS).filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return `Expected the columns of a Settlement details report; ${missing.join(', ')} is missing. Add it to the report at Adyen.`;
  }
  const twice = Object.values(COLUMNS).find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return twice === undefined ? null : `Expected each column once; got ${twice} twice.`;
}

/** A row by the names of its columns. */
type Row = Readonly<Record<Column, string>>;

/** The cells of a record by the names of their columns, wherever these are. */
function rowReader(names: readonly string[]): (record: CsvRecord) => Row {
  const places = Object.entries(COLUMNS).map(([column, name]) => [column, names.indexOf(name)] as const);
  return ({ cells }) => {
    if (cells.length !== names.length) {
      throw new RowError(`Expected ${names.length} cells, one for each column; got ${cells.length}.`);
    }
    return Object.fromEntries(places.map(([column, place]) => [column, cells[place]?.trim() ?? ''])) as Row;
  };
}

interface ReadRow {
  readonly settlement: ReportedSettlement;
  /** Null for the payout. */
  readonly entry: ReportedSettlementEntry | null;
}

function orProblem<Result extends object>(
  line: number,
  read: () => Result,
): Result | { readonly problem: string; readonly line: number } {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowError) return { problem: error.message, line };
    throw error;
  }
}

/** A batch may be paid out by several transfers. */
function withPayout(known: ReportedSettlement | undefined, { settlement, entry }: ReadRow): ReportedSettlement {
  if (known === undefined) return settlement;
  if (entry !== null) return known;
  return { ...settlement, netAmountMinor: known.netAmountMinor + settlement.netAmountMinor };
}

function readRow(row: Row, { merchantAccount }: ReportOwner): ReadRow {
  if (row.merchantAccount !== merchantAccount) {
    throw new RowError(
      `Expected the report of the merchant account ${merchantAccount}; got that of another one. Import it for that account.`,
    );
  }
  const currency = currencyIn(row, 'netCurrency');
  const netMinor = signed(row, currency, 'net');
  const isPayout = row.type === PAYOUT;
  const settlement: ReportedSettlement = {
    providerReference: `${batchOf(row)}-${currency}`,
    status: isPayout ? 'paid' : 'open',
    currency,
    netAmountMinor: isPayout ? -netMinor : 0,
    arrivalDate: isPayout ? timeOf(row).date : null,
    bankReference: isPayout ? row.modificationReference || null : null,
  };
  return { settlement, entry: isPayout ? null : entryOf(row, { currency, netMinor }) };
}

interface Net {
  readonly currency: string;
  readonly netMinor: number;
}

function entryOf(row: Row, { currency, netMinor }: Net): ReportedSettlementEntry {
  const { type: providerType } = row;
  if (providerType === '') throw new RowError(`Expected a type in the column ${COLUMNS.type}; got none.`);
  const gross = grossOf(row);
  const isExchanged = gross !== null && gross.currency !== currency;
  const feeDetails = feesOf(row, currency, gross === null || isExchanged ? null : gross.amountMinor - netMinor);
  const feeMinor = feeDetails.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return {
    type: typeOf(providerType),
    providerType,
    providerReference: referenceOf(row, netMinor),
    matches: subjectOf(row),
    amountMinor: netMinor + feeMinor,
    feeMinor,
    feeDetails,
    netMinor,
    currency,
    originalAmountMinor: isExchanged ? gross.amountMinor : null,
    originalCurrency: isExchanged ? gross.currency : null,
    exchangeRate: isExchanged ? rateOf(row) : null,
    occurredAt: timeOf(row).at,
    availableOn: null,
  };
}

function typeOf(providerType: string): SettlementEntryType {
  const known = TYPES.get(providerType);
  if (known === undefined) noteUnknownValue('adyen settlement type', providerType);
  return known ?? 'other';
}

/** Null where the row has none, as those of fees. */
function grossOf(row: Row): { readonly currency: string; readonly amountMinor: number } | null {
  if (row.grossCurrency === '' || (row.grossDebit === '' && row.grossCredit === '')) return null;
  const currency = currencyIn(row, 'grossCurrency');
  return { currency, amountMinor: signed(row, currency, 'gross') };
}

/**
 * Adyen rounds each part of a fee by itself. In one currency, gross and net say the whole fee, and what the parts differ from it is a
 * part of its own.
 * @param wholeMinor null where nothing says it
 */
function feesOf(row: Row, currency: string, wholeMinor: number | null): readonly SettlementFee[] {
  const parts = Object.entries(FEES).map(([column, type]) => ({
    type,
    amountMinor: feeIn(row, column as keyof typeof FEES, currency),
  }));
  const rest = wholeMinor === null ? 0 : wholeMinor - parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return [...parts, { type: 'other' as const, amountMinor: rest }].filter(({ amountMinor }) => amountMinor !== 0);
}

/** Adyen gives no id of a row. What it changed has one; two rows about the same differ in their type or amount. */
function referenceOf(row: Row, netMinor: number): string {
  const { type, modificationReference, pspReference, creationDate } = row;
  const of = pspReference === '' ? `${modificationReference}:${creationDate}` : modificationReference || pspReference;
  return `${type}:${of}:${netMinor}`.slice(0, MAXIMUM_REFERENCE_LENGTH);
}

const MAXIMUM_REFERENCE_LENGTH = 200;

/** The payment by the reference that the engine gave it, the refund by its own, and the dispute by Adyen's. */
function subjectOf(row: Row): SettlementEntrySubject {
  const { type, merchantReference, modificationMerchantReference: modified, pspReference, modificationReference } = row;
  const attemptId = parsePaymentReference(merchantReference)?.attemptId;
  const isOfDispute = /chargeback/i.test(type) && modificationReference !== '';
  return {
    ...(attemptId === undefined ? {} : { attemptId }),
    ...(isId('refund', modified) ? { refundId: modified } : {}),
    ...(isOfDispute ? { disputeReference: modificationReference } : {}),
    ...(pspReference === '' ? {} : { providerPaymentReference: pspReference }),
  };
}

function batchOf({ batchNumber }: Row): string {
  if (/^\d{1,10}$/.test(batchNumber)) return batchNumber;
  throw new RowError(`Expected the number of a batch in the column ${COLUMNS.batchNumber}; got none.`);
}

function currencyIn(row: Row, column: 'grossCurrency' | 'netCurrency'): string {
  const currency = row[column];
  if (isSupportedCurrency(currency)) return currency;
  throw new RowError(`Expected a currency that the engine knows in the column ${COLUMNS[column]}; got another text.`);
}

/** The credit less the debit. Reports have decimals of the currency itself, so that Adyen's own minor units do not matter. */
function signed(row: Row, currency: string, side: 'gross' | 'net'): number {
  return amountIn(row, `${side}Credit`, currency) - amountIn(row, `${side}Debit`, currency);
}

function amountIn(row: Row, column: Column, currency: string): number {
  const text = row[column];
  const amountMinor = text === '' ? 0 : minorOfDecimal(text, currency);
  if (amountMinor !== null) return amountMinor;
  const digits = currencyExponent(currency);
  throw new RowError(
    `Expected an amount of ${currency} with at most ${digits} decimals in the column ${COLUMNS[column]}; got another text.`,
  );
}

const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,12})?$/;

/** A part of a fee may have more decimals than its currency. */
function feeIn(row: Row, column: keyof typeof FEES, currency: string): number {
  const text = row[column];
  if (text === '') return 0;
  const amountMinor = Math.round(Number(text) * 10 ** currencyExponent(currency));
  if (DECIMAL.test(text) && Number.isSafeInteger(amountMinor)) return amountMinor + 0;
  throw new RowError(`Expected a decimal number in the column ${COLUMNS[column]}; got another text.`);
}

function rateOf({ exchangeRate }: Row): string | null {
  if (exchangeRate === '') return null;
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(exchangeRate)) return exchangeRate;
  throw new RowError(`Expected a decimal number in the column ${COLUMNS.exchangeRate}; got another text.`);
}

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;

/** The day in the zone of the report, and the moment. */
function timeOf({ creationDate, timeZone }: Row): { readonly date: string; readonly at: string } {
  const hoursAhead = TIME_ZONES.get(timeZone);
  if (hoursAhead === undefined) {
    throw new RowError(
      `Expected the abbreviation of one time zone, such as CET, in the column ${COLUMNS.timeZone}; got another text. ` +
        'Choose UTC or another zone for the company at Adyen.',
    );
  }
  const [, date = '', time = ''] = TIME.exec(creationDate) ?? [];
  const atMs = Date.parse(`${date}T${time}Z`) - hoursAhead * HOUR_MS;
  if (Number.isNaN(atMs)) {
    throw new RowError(`Expected YYYY-MM-DD HH:MM:SS in the column ${COLUMNS.creationDate}; got another text.`);
  }
  return { date, at: new Date(atMs).toISOString() };
}

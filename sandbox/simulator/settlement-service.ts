import { DAY_MS } from '../../domain/time.ts';
import type { Ledger } from './ledger.ts';
import { newId } from './new-id.ts';
import type { SettlementRequest } from './protocol.ts';
import type { Charge, LedgerEntry, Settlement, SettlementLine, SettlementMisreport } from './records.ts';

/** Pays out what was captured, refunded and disputed, in batches, as testers ask for. */
export interface SettlementService {
  /** Settles every movement of money up to a time that is in no settlement yet; a settlement for each currency. */
  settle(request: SettlementRequest): readonly Settlement[];
  /** Changes what has become of a settlement; undefined where there is none of that id. */
  setStatus(id: string, status: Settlement['status']): Settlement | undefined;
}

/** One journal line has a whole settlement. */
const MAXIMUM_LINES = 1_000;

/** The fee of a capture is 2.9 % and 30 minor units, of which so much goes to the customer's bank and the card scheme. */
const CAPTURE_FEE = { rate: 0.029, fixedMinor: 30, interchangeRate: 0.015, schemeRate: 0.002 } as const;
const CHARGEBACK_FEE_MINOR = 1_500;
/** How long the money takes to the bank. */
const ARRIVES_AFTER_MS = 2 * DAY_MS;

const SETTLED_CHARGES = ['capture', 'refund', 'chargeback', 'chargeback_reversal'] as const;
type SettledCharge = Charge & { readonly type: (typeof SETTLED_CHARGES)[number] };

export function createSettlementService(ledger: Ledger): SettlementService {
  return {
    settle(request) {
      const settled = new Set(ledger.settlements().flatMap(({ settledIds }) => settledIds));
      const lines = ledger
        .entries()
        .filter((entry) => request.paymentIntentId === undefined || entry.paymentIntentId === request.paymentIntentId)
        .flatMap((entry) => linesOf(entry, request))
        .filter(({ id, at }) => !settled.has(id) && at <= request.until);
      const settlements = batchesOf(lines).map((batch) => settlementOf(batch, request));
      for (const settlement of settlements) ledger.saveSettlement(settlement);
      return settlements;
    },

    setStatus(id, status) {
      const settlement = ledger.findSettlement(id);
      if (settlement === undefined) return undefined;
      const changed = { ...settlement, status, updatedAt: new Date().toISOString() };
      ledger.saveSettlement(changed);
      return changed;
    },
  };
}

/** The lines of each currency, in batches. */
function batchesOf(lines: readonly SettlementLine[]): readonly (readonly SettlementLine[])[] {
  const currencies = new Set(lines.map(({ currency }) => currency));
  const byCurrency = [...currencies].map((currency) => lines.filter((line) => line.currency === currency));
  return byCurrency.flatMap((ofCurrency) =>
    Array.from({ length: Math.ceil(ofCurrency.length / MAXIMUM_LINES) }, (_, index) =>
      ofCurrency.slice(index * MAXIMUM_LINES, (index + 1) * MAXIMUM_LINES),
    ),
  );
}

function linesOf({ record }: LedgerEntry, request: SettlementRequest): readonly SettlementLine[] {
  if (record === null) return [];
  const { id, reference, currency } = record.payment;
  return record.charges.flatMap((charge, index) =>
    isSettled(charge) ? [lineOf(charge, { id: `${id}_${index}`, paymentId: id, reference, currency }, request)] : [],
  );
}

function isSettled(charge: Charge): charge is SettledCharge {
  return SETTLED_CHARGES.some((type) => type === charge.type);
}

type LineBase = Pick<SettlementLine, 'id' | 'paymentId' | 'reference' | 'currency'>;

/** A line in the currency of the settlement. */
function lineOf(charge: SettledCharge, base: LineBase, { exchange }: SettlementRequest): SettlementLine {
  const sign = charge.type === 'capture' || charge.type === 'chargeback_reversal' ? 1 : -1;
  const original = sign * charge.amount;
  const isExchanged = exchange !== undefined && exchange.to !== base.currency;
  const amount = isExchanged ? Math.round(original * Number(exchange.rate)) : original;
  const fees = feesOf(charge.type, Math.abs(amount));
  const fee = fees.reduce((sum, part) => sum + part.amount, 0);
  return {
    ...base,
    type: charge.type === 'capture' ? 'payment' : charge.type,
    chargeReference: charge.reference ?? null,
    amount,
    fee,
    fees,
    net: amount - fee,
    currency: isExchanged ? exchange.to : base.currency,
    originalAmount: isExchanged ? original : null,
    originalCurrency: isExchanged ? base.currency : null,
    exchangeRate: isExchanged ? exchange.rate : null,
    at: charge.at,
  };
}

function feesOf(type: SettledCharge['type'], amount: number): SettlementLine['fees'] {
  if (type === 'chargeback') return [{ type: 'provider', amount: CHARGEBACK_FEE_MINOR }];
  if (type !== 'capture') return [];
  const { rate, fixedMinor, interchangeRate, schemeRate } = CAPTURE_FEE;
  const whole = Math.round(amount * rate) + fixedMinor;
  const interchange = Math.floor(amount * interchangeRate);
  const scheme = Math.floor(amount * schemeRate);
  return [
    { type: 'interchange', amount: interchange },
    { type: 'scheme', amount: scheme },
    { type: 'markup', amount: whole - interchange - scheme },
  ];
}

function settlementOf(lines: readonly SettlementLine[], { until, misreport, status }: SettlementRequest): Settlement {
  const now = new Date().toISOString();
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  const id = newId('simstl');
  const said = misreport === undefined ? { lines, net } : MISREPORTED[misreport]({ lines, net }, id);
  return {
    id,
    currency: lines[0]?.currency ?? '',
    status,
    net: said.net,
    arrivalDate: new Date(Date.parse(until) + ARRIVES_AFTER_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
    bankReference: `TRACE${id.slice(-12)}`,
    lines: [...said.lines],
    settledIds: lines.map((line) => line.id),
    createdAt: now,
    updatedAt: now,
  };
}

interface Said {
  readonly lines: readonly SettlementLine[];
  readonly net: number;
}

/** What the simulator says wrongly of a settlement, or of its first line. */
const MISREPORTED: Readonly<Record<SettlementMisreport, (said: Said, id: string) => Said>> = {
  missing_entry: ({ lines, net }) => ({ lines: lines.slice(1), net }),
  extra_entry: ({ lines, net }, id) => {
    const [first] = lines;
    if (first === undefined) return { lines, net };
    const extra = { ...first, id: `${id}_extra`, paymentId: `${id}_unknown`, reference: `${id}_unknown` };
    return { lines: [...lines, extra], net: net + extra.net };
  },
  wrong_fee: (said) => withFirst(said, (line) => ({ ...line, fee: line.fee + 1, fees: [] })),
  wrong_sum: ({ lines, net }) => ({ lines, net: net + 1 }),
  other_currency: (said) =>
    withFirst(said, (line) => ({
      ...line,
      currency: line.currency === 'EUR' ? 'USD' : 'EUR',
      originalAmount: null,
      originalCurrency: null,
    })),
  wrong_amount: (said) =>
    withFirst(said, (line) => ({
      ...line,
      amount: line.amount + 1,
      net: line.net + 1,
      originalAmount: null,
      originalCurrency: null,
    })),
  duplicate_entry: ({ lines, net }, id) => {
    const [first] = lines;
    return first === undefined
      ? { lines, net }
      : { lines: [...lines, { ...first, id: `${id}_again` }], net: net + first.net };
  },
};

function withFirst({ lines: [first, ...others], net }: Said, change: (line: SettlementLine) => SettlementLine): Said {
  return first === undefined ? { lines: [], net } : { lines: [change(first), ...others], net };
}

import type { Environment } from './payment.ts';
import type {
  ReportedSettlementEntry,
  SettlementDetails,
  SettlementEntryType,
  SettlementMatch,
  SettlementSide,
} from './settlement.ts';

/** The types of our transactions that a provider settles. */
export const SETTLED_TRANSACTION_TYPES = ['capture', 'refund', 'chargeback', 'chargeback_reversal'] as const;
type SettledTransactionType = (typeof SETTLED_TRANSACTION_TYPES)[number];

/** A transaction of ours that a provider settles. */
export interface SettledTransaction {
  readonly transactionId: string;
  readonly type: SettledTransactionType;
  readonly amountMinor: number;
  readonly currency: string;
  /** The provider's own id: of the payment, of the refund or of the dispute. */
  readonly providerReference: string;
  /** The provider's own id of the payment. */
  readonly providerPaymentId: string | null;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly attemptId: string;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  /** The provider's id of the line that has settled it; null where none has. */
  readonly settledBy: string | null;
}

/** A line with the transaction that it settles. */
export interface MatchedEntry {
  readonly entry: ReportedSettlementEntry;
  /** Null where it settles none of ours. */
  readonly transaction: SettledTransaction | null;
  readonly match: SettlementMatch;
  /** Null where there is nothing to compare. */
  readonly details: SettlementDetails | null;
}

/** The transactions that each type of entry settles; null: it has no counterpart, as a fee of the month has none. */
const SETTLES: Readonly<Record<SettlementEntryType, SettledTransactionType | null>> = {
  payment: 'capture',
  refund: 'refund',
  chargeback: 'chargeback',
  chargeback_reversal: 'chargeback_reversal',
  fee: null,
  reserve: null,
  fx: null,
  transfer: null,
  adjustment: null,
  other: null,
};

/** Types without a counterpart that need no look: the provider names what they are. */
const SELF_EXPLANATORY: readonly SettlementEntryType[] = ['fee', 'reserve', 'fx', 'transfer'];

/**
 * Matches the lines of a page with our transactions. Each line becomes one entry, and each transaction is settled by one line:
 * further ones are duplicates. A line that stands twice in a page is one line, as the provider said it last.
 */
export function matchEntries(
  entries: readonly ReportedSettlementEntry[],
  transactions: readonly SettledTransaction[],
): readonly MatchedEntry[] {
  const lines = new Map(entries.map((entry) => [entry.providerReference, entry]));
  const settledBy = new Map(transactions.map((each) => [each.transactionId, each.settledBy]));
  const byKey = indexed(transactions);
  return [...lines.values()].map((entry) => {
    const matched = matchEntry(entry, candidatesOf(entry, byKey), settledBy);
    const { transaction } = matched;
    if (transaction !== null && matched.match !== 'duplicate') {
      settledBy.set(transaction.transactionId, entry.providerReference);
    }
    return matched;
  });
}

type Index = ReadonlyMap<string, readonly SettledTransaction[]>;

function indexed(transactions: readonly SettledTransaction[]): Index {
  const index = new Map<string, SettledTransaction[]>();
  for (const each of transactions) {
    const { type, attemptId, refundId, providerReference, providerPaymentId } = each;
    for (const key of new Set([attemptId, refundId, providerReference, providerPaymentId])) {
      if (key === null) continue;
      const found = index.get(`${type} ${key}`);
      if (found === undefined) index.set(`${type} ${key}`, [each]);
      else found.push(each);
    }
  }
  return index;
}

/** The first name that finds any: a refund's own id says more than the payment's. */
function candidatesOf({ type, matches }: ReportedSettlementEntry, index: Index): readonly SettledTransaction[] {
  const settled = SETTLES[type];
  if (settled === null) return [];
  const { attemptId, refundId, disputeReference, providerPaymentReference } = matches;
  for (const name of [refundId, disputeReference, attemptId, providerPaymentReference]) {
    const found = name === undefined ? undefined : index.get(`${settled} ${name}`);
    if (found !== undefined) return found;
  }
  return [];
}

type SettledBy = ReadonlyMap<string, string | null>;

function matchEntry(
  entry: ReportedSettlementEntry,
  candidates: readonly SettledTransaction[],
  settledBy: SettledBy,
): MatchedEntry {
  const transaction = bestOf(entry, candidates, settledBy);
  if (transaction === undefined) {
    const differs = sumThatDiffers(entry);
    const isNamed = SELF_EXPLANATORY.includes(entry.type);
    if (!isNamed) return { entry, transaction: null, match: 'unknown', details: { ours: null, theirs: sideOf(entry) } };
    if (differs === null) return { entry, transaction: null, match: 'matched', details: null };
    return {
      entry,
      transaction: null,
      match: 'amount_differs',
      details: { ours: null, theirs: sideOf(entry), differs },
    };
  }
  const details = { ours: sideOfOurs(transaction), theirs: sideOf(entry) };
  const by = settledBy.get(transaction.transactionId) ?? null;
  if (by !== null && by !== entry.providerReference) {
    return { entry, transaction, match: 'duplicate', details: { ...details, settledBy: by } };
  }
  if (details.ours.currency !== details.theirs.currency) {
    return { entry, transaction, match: 'currency_differs', details };
  }
  const differs = details.ours.amount === details.theirs.amount ? sumThatDiffers(entry) : 'amount';
  if (differs !== null) return { entry, transaction, match: 'amount_differs', details: { ...details, differs } };
  return { entry, transaction, match: 'matched', details: null };
}

/** One that no other line has settled before one that is settled, and one of the same amount before others. */
function bestOf(
  entry: ReportedSettlementEntry,
  candidates: readonly SettledTransaction[],
  settledBy: SettledBy,
): SettledTransaction | undefined {
  const theirs = sideOf(entry);
  const rankOf = (each: SettledTransaction): number => {
    const by = settledBy.get(each.transactionId) ?? null;
    if (by === entry.providerReference) return 0;
    const ours = sideOfOurs(each);
    const isSame = ours.amount === theirs.amount && ours.currency === theirs.currency;
    return (by === null ? 1 : 3) + (isSame ? 0 : 1);
  };
  return candidates.toSorted((left, right) => rankOf(left) - rankOf(right))[0];
}

/** The sum in a line that is wrong in itself. */
function sumThatDiffers({
  amountMinor,
  feeMinor,
  netMinor,
  feeDetails,
}: ReportedSettlementEntry): 'net' | 'fee_details' | null {
  if (amountMinor - feeMinor !== netMinor) return 'net';
  const parts = feeDetails.reduce((sum, part) => sum + part.amountMinor, 0);
  return feeDetails.length > 0 && parts !== feeMinor ? 'fee_details' : null;
}

/** In the currency of the payment, as far as the provider says it. */
function sideOf({
  amountMinor,
  currency,
  originalAmountMinor,
  originalCurrency,
}: ReportedSettlementEntry): SettlementSide {
  return originalAmountMinor === null || originalCurrency === null
    ? { amount: amountMinor, currency }
    : { amount: originalAmountMinor, currency: originalCurrency };
}

function sideOfOurs(transaction: Pick<SettledTransaction, 'type' | 'amountMinor' | 'currency'>): SettlementSide {
  return { amount: signedAmountOf(transaction), currency: transaction.currency };
}

/** What a transaction brings the merchant, in minor units: negative where it costs. */
function signedAmountOf({ type, amountMinor }: Pick<SettledTransaction, 'type' | 'amountMinor'>): number {
  return type === 'capture' || type === 'chargeback_reversal' ? amountMinor : -amountMinor;
}

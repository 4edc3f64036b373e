/** `returned`: the bank has sent the money back. */
export const SETTLEMENT_STATUSES = ['open', 'paid', 'failed', 'returned'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** What a provider pays to the merchant's bank in one transfer, as it reports it; amounts in minor units. */
export interface ReportedSettlement {
  /** The provider's own id of it, unique within an account at the provider. */
  readonly providerReference: string;
  readonly status: SettlementStatus;
  readonly currency: string;
  readonly netAmountMinor: number;
  /** `YYYY-MM-DD`; null where the provider does not say. */
  readonly arrivalDate: string | null;
  /** How the transfer is called on the bank's statement, such as a UTR or trace id; null where the provider does not say. */
  readonly bankReference: string | null;
}

/** `fx`: an exchange of currencies; `transfer`: the payment to the bank itself, where the provider lists it. */
export const SETTLEMENT_ENTRY_TYPES = [
  'payment',
  'refund',
  'chargeback',
  'chargeback_reversal',
  'fee',
  'adjustment',
  'reserve',
  'fx',
  'transfer',
  'other',
] as const;
export type SettlementEntryType = (typeof SETTLEMENT_ENTRY_TYPES)[number];

/** `provider`: what the provider takes, where it does not say of what that consists. */
export const SETTLEMENT_FEE_TYPES = ['interchange', 'scheme', 'markup', 'provider', 'tax', 'other'] as const;

/** A part of a fee. */
export interface SettlementFee {
  readonly type: (typeof SETTLEMENT_FEE_TYPES)[number];
  readonly amountMinor: number;
}

/** What an entry is about: ids of ours where the provider knows them, else its own. */
export interface SettlementEntrySubject {
  readonly attemptId?: string;
  readonly refundId?: string;
  /** The provider's id of the dispute. */
  readonly disputeReference?: string;
  /** The provider's id of the payment. */
  readonly providerPaymentReference?: string;
}

/** A line of a settlement, as the provider reports it; amounts in minor units of the currency of the settlement. */
export interface ReportedSettlementEntry {
  readonly type: SettlementEntryType;
  /** The provider's own name of the type. */
  readonly providerType: string;
  /** The provider's own id of the line, unique within an account at the provider, and the same each time it is read. */
  readonly providerReference: string;
  readonly matches: SettlementEntrySubject;
  /** Positive where it is for the merchant. */
  readonly amountMinor: number;
  /** What the provider keeps of it: positive where it costs the merchant. */
  readonly feeMinor: number;
  readonly feeDetails: readonly SettlementFee[];
  /** The amount without the fee. */
  readonly netMinor: number;
  readonly currency: string;
  /** The amount in the currency of the payment, with the sign of the amount; null where it is the same currency. */
  readonly originalAmountMinor: number | null;
  readonly originalCurrency: string | null;
  /** A decimal number; null where nothing was exchanged, or the provider does not say. */
  readonly exchangeRate: string | null;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  /** `YYYY-MM-DD`; null where the provider does not say. */
  readonly availableOn: string | null;
}

/**
 * A line of a report: the settlement to which the entries after it belong, an entry, or what cannot be read.
 * `line` counts from 1 and includes the line of headings.
 */
export type SettlementReportItem =
  | { readonly settlement: ReportedSettlement }
  | { readonly entry: ReportedSettlementEntry; readonly line: number }
  | { readonly problem: string; readonly line: number };

/** Whether an entry agrees with our transactions. All but `matched` and `expected` are exceptions, which somebody has to look at. */
export const SETTLEMENT_MATCHES = [
  'matched',
  'expected',
  'missing',
  'unknown',
  'amount_differs',
  'currency_differs',
  'duplicate',
] as const;
export type SettlementMatch = (typeof SETTLEMENT_MATCHES)[number];

/** How somebody has ended an exception. `written_off`: the money is given up. */
export const SETTLEMENT_RESOLUTIONS = ['accepted', 'written_off'] as const;
export type SettlementResolution = (typeof SETTLEMENT_RESOLUTIONS)[number];

export const SETTLEMENT_SOURCES = ['api', 'report', 'upload'] as const;
export type SettlementSource = (typeof SETTLEMENT_SOURCES)[number];

/** An amount and its currency on one side of an exception. */
export interface SettlementSide {
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** Both sides of an exception; null where there is nothing on that side. */
export interface SettlementDetails {
  readonly ours: SettlementSide | null;
  readonly theirs: SettlementSide | null;
  /** Of a duplicate: the provider's id of the line that the transaction is in. */
  readonly settledBy?: string;
  /** Of an amount that differs: the amount, or the net or the parts of the fee, which do not add up. */
  readonly differs?: 'amount' | 'net' | 'fee_details';
}

/** After how many days money that was not settled is missing. */
export const SETTLEMENT_DUE_DAYS = 14;

/** How many differences of one import become events; further ones are only entries. */
export const MAXIMUM_DIFFERENCE_EVENTS = 1_000;

export const SETTLEMENT_IMPORT_STATUSES = ['running', 'completed', 'failed'] as const;
type SettlementImportStatus = (typeof SETTLEMENT_IMPORT_STATUSES)[number];

/** How far an import is. */
export interface SettlementImportProgress {
  readonly importId: string;
  readonly provider: string;
  readonly status: SettlementImportStatus;
  /** Pages of entries that are written. */
  readonly pages: number;
  readonly settlements: number;
  readonly entries: number;
  readonly exceptions: number;
  readonly error: string | null;
}

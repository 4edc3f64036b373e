/** `returned`: the bank has sent the money back. */
type ReportedSettlementStatus = 'open' | 'paid' | 'failed' | 'returned';

/** What a provider pays to the merchant's bank in one transfer, as it reports it; amounts in minor units. */
export interface ReportedSettlement {
  /** The provider's own id of it, unique within an account at the provider. */
  readonly providerReference: string;
  readonly status: ReportedSettlementStatus;
  readonly currency: string;
  readonly netAmountMinor: number;
  /** `YYYY-MM-DD`; null where the provider does not say. */
  readonly arrivalDate: string | null;
  /** How the transfer is called on the bank's statement, such as a UTR or trace id; null where the provider does not say. */
  readonly bankReference: string | null;
}

export type SettlementEntryType =
  | 'payment'
  | 'refund'
  | 'chargeback'
  | 'chargeback_reversal'
  | 'fee'
  | 'adjustment'
  | 'reserve'
  | 'fx'
  | 'transfer'
  | 'other';

/** A part of a fee. `provider`: the provider does not say of what it consists. */
export interface SettlementFee {
  readonly type: 'interchange' | 'scheme' | 'markup' | 'provider' | 'tax' | 'other';
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

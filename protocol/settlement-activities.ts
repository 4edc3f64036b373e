import type { ReportedSettlement, SettlementImportProgress } from '../domain/settlement.ts';

/** An import that begins. */
export interface BeginSettlementImportRequest {
  readonly importId: string;
  readonly provider: string;
}

export interface ListSettlementsRequest {
  readonly importId: string;
  /** Where the page before this one ended; null for the first one. */
  readonly cursor: string | null;
}

/** A page of a provider's settlements, without those that need not be read again. */
export interface ListedSettlements {
  readonly settlements: readonly ReportedSettlement[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export interface ImportEntriesRequest {
  readonly importId: string;
  readonly settlement: ReportedSettlement;
  /** How many pages of the import were written before it. */
  readonly page: number;
  readonly isFirstOfSettlement: boolean;
}

export interface FinishSettlementRequest {
  readonly importId: string;
  readonly settlement: ReportedSettlement;
}

export interface ExpectSettlementsRequest {
  readonly importId: string;
  /** The accounts after this one are looked at; empty for the first ones. */
  readonly after: string;
}

export interface FailSettlementImportRequest {
  readonly importId: string;
  /** For operators. */
  readonly error: string;
  /** The type of the failure; absent where it has none. */
  readonly type?: string;
}

/** The activities of an import's workflow. Each may be repeated: it writes once. */
export interface SettlementActivities {
  /** Writes the import. Ends the provider's imports that no workflow continues. */
  beginSettlementImport(request: BeginSettlementImportRequest): Promise<SettlementImportProgress>;
  /** Reads a page of the provider's settlements. */
  listSettlements(request: ListSettlementsRequest): Promise<ListedSettlements>;
  /** Compares the next page of a settlement's entries with our transactions, and writes it. */
  importEntries(
    request: ImportEntriesRequest,
  ): Promise<{ readonly progress: SettlementImportProgress; readonly isLast: boolean }>;
  /** Sums a settlement up whose entries were all read. */
  finishSettlement(request: FinishSettlementRequest): Promise<void>;
  /** Notes what the provider is still expected to settle, and what is overdue. @returns the account to go on after; null at the end */
  expectSettlements(request: ExpectSettlementsRequest): Promise<{ readonly after: string | null }>;
  finishSettlementImport(request: { readonly importId: string }): Promise<SettlementImportProgress>;
  /** Ends an import that cannot go on. */
  failSettlementImport(request: FailSettlementImportRequest): Promise<SettlementImportProgress>;
}

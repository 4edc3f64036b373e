import type { Actor } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import type { Environment } from '../../domain/payment.ts';
import type {
  SettlementDetails,
  SettlementEntryType,
  SettlementFee,
  SettlementMatch,
  SettlementResolution,
  SettlementSource,
  SettlementStatus,
} from '../../domain/settlement.ts';
import {
  type AccountScope,
  createdBetween,
  type CreationTimes,
  isOwned,
  ofAccount,
  withValues,
} from '../fragments/conditions.ts';
import { INSERT_AUDIT_EVENT } from '../fragments/insert-audit-event.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { jsonParameter } from '../fragments/payment-json.ts';
import { settlementEntryJson } from '../fragments/settlement-json.ts';
import { Prisma, type Settlement, type SettlementEntry } from '../generated/client.ts';
import { json, returning, type Statement, text } from '../connection/statement.ts';
import { accountRows, type ListedRows, NEWEST_FIRST } from './list.ts';

/** What a bank statement says of a settlement. */
export interface BankConfirmation {
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly valueDate: string;
  readonly reference: string | null;
}

/** A settlement as JSON. */
export type SettlementRow = Narrowed<
  JsonRow<Settlement>,
  {
    readonly environment: Environment;
    readonly status: SettlementStatus;
    readonly source: SettlementSource;
    readonly amounts_by_type: Readonly<Partial<Record<SettlementEntryType, number>>>;
    /** Dates have no time in JSON. */
    readonly arrival_date: string | null;
    readonly bank: (BankConfirmation & { readonly confirmedAt: string }) | null;
  }
>;

/** An entry as JSON, without what only imports read. */
export type SettlementEntryRow = Narrowed<
  JsonRow<Omit<SettlementEntry, 'reported' | 'seenImportId' | 'supersededAt'>>,
  {
    readonly environment: Environment;
    readonly type: SettlementEntryType;
    readonly fee_details: readonly SettlementFee[];
    readonly match: SettlementMatch;
    readonly details: SettlementDetails | null;
    readonly resolution: SettlementResolution | null;
    readonly available_on: string | null;
  }
>;

export interface StoredSettlement {
  readonly settlement: SettlementRow;
}

/** A settlement as it is read for a response, from a row that is called `r`. */
export const STORED_SETTLEMENT = returning<StoredSettlement>({
  settlement: json<SettlementRow>(),
})`to_jsonb(r) AS settlement`;

export interface StoredSettlementEntry {
  readonly entry: SettlementEntryRow;
}

/** An entry as it is read for a response, from a row that is called `r`. */
export const STORED_SETTLEMENT_ENTRY = returning<StoredSettlementEntry>({
  entry: json<SettlementEntryRow>(),
})`${settlementEntryJson('r')} AS entry`;

export function selectSettlement(id: string, account: AccountScope): Statement<StoredSettlement> {
  return returning(STORED_SETTLEMENT.columns)`
    SELECT ${STORED_SETTLEMENT.sql} FROM settlement r WHERE ${isOwned(id, account)}`;
}

/** One entry, also one that another one stands for now. */
export function selectSettlementEntry(id: string, account: AccountScope): Statement<StoredSettlementEntry> {
  return returning(STORED_SETTLEMENT_ENTRY.columns)`
    SELECT ${STORED_SETTLEMENT_ENTRY.sql} FROM settlement_entry r WHERE ${isOwned(id, account)}`;
}

/** Which of an account's settlements are listed. */
export interface SettlementFilter extends CreationTimes {
  readonly provider?: string | undefined;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
}

/** The list of an account's settlements. */
export function accountSettlements(
  scope: AccountScope,
  { provider, status, currency, ...times }: SettlementFilter,
): ListedRows {
  return accountRows('settlement', scope, { provider, status, currency }, times);
}

/** Which of an account's entries are listed. */
export interface SettlementEntryFilter extends CreationTimes {
  readonly settlementId?: string | undefined;
  readonly match?: string | undefined;
  readonly type?: string | undefined;
  readonly transactionId?: string | undefined;
}

/** The list of an account's entries, without those that others stand for now. */
export function accountSettlementEntries(
  { merchantAccountId }: AccountScope,
  { settlementId, match, type, transactionId, ...times }: SettlementEntryFilter,
): ListedRows {
  const account = ofAccount({ merchantAccountId });
  const values = { settlement_id: settlementId, match, type, transaction_id: transactionId };
  const filters = withValues(values);
  return {
    table: 'settlement_entry',
    scope: [account],
    conditions: [account, Prisma.sql`superseded_at IS NULL`, ...filters, ...createdBetween(times)],
    order: NEWEST_FIRST,
    dependsOnValues: filters.length > 1,
  };
}

/** Who changes something, for the audit log. */
interface Author {
  readonly merchantId: string;
  readonly actor: Actor;
}

/** Records what the bank statement says, once; no row where that was recorded already. */
export function confirmAtBank(
  id: string,
  account: AccountScope,
  { bank, author }: { readonly bank: BankConfirmation; readonly author: Author },
) {
  return returning({ id: text })`
    WITH confirmed AS (
      UPDATE settlement r SET bank = ${jsonParameter(bank)}::jsonb || jsonb_build_object('confirmedAt', now()), updated_at = now()
      WHERE ${isOwned(id, account, 'r')} AND r.bank IS NULL
      RETURNING r.*
    ), audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, ${author.merchantId}, environment, merchant_account_id, 'settlement.bank_confirmed', id,
        ${author.actor.type}, ${author.actor.id}, ${author.actor.address},
        jsonb_build_object('id', id, 'object', 'settlement', 'netAmount', net_amount_minor, 'currency', currency, 'bank', NULL),
        jsonb_build_object('id', id, 'object', 'settlement', 'netAmount', net_amount_minor, 'currency', currency, 'bank', bank)
      FROM confirmed
    )
    SELECT id FROM confirmed`;
}

/** How somebody ends an exception; null opens it again. */
export interface EntryResolution {
  readonly resolution: SettlementResolution | null;
  readonly note: string | null;
}

/**
 * Ends an exception, or opens it again, and counts those of its settlement. No row where the entry is no exception, or another one
 * stands for it now. A repeat changes nothing more.
 */
export function resolveEntry(
  id: string,
  account: AccountScope,
  { resolved, author }: { readonly resolved: EntryResolution; readonly author: Author },
) {
  const { resolution, note } = resolved;
  return returning({ id: text })`
    WITH before AS (
      SELECT * FROM settlement_entry r
      WHERE ${isOwned(id, account, 'r')} AND r.superseded_at IS NULL AND r.match NOT IN ('matched', 'expected')
      FOR UPDATE
    ), changed AS (
      UPDATE settlement_entry e SET resolution = ${resolution}::text, note = ${note}::text,
        resolved_at = CASE WHEN ${resolution}::text IS NULL THEN NULL ELSE now() END, updated_at = now()
      FROM before
      WHERE e.id = before.id
        AND (before.resolution IS DISTINCT FROM ${resolution}::text OR before.note IS DISTINCT FROM ${note}::text)
      RETURNING e.*, before.resolution AS resolution_before, before.note AS note_before
    ), counted AS (
      UPDATE settlement s SET updated_at = now(), entries_exceptions = s.entries_exceptions
          + (changed.resolution IS NULL)::int - (changed.resolution_before IS NULL)::int
      FROM changed WHERE s.id = changed.settlement_id
    ), audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, ${author.merchantId}, environment, merchant_account_id, 'settlement_entry.resolved', id,
        ${author.actor.type}, ${author.actor.id}, ${author.actor.address},
        jsonb_build_object('id', id, 'object', 'settlement_entry', 'match', match, 'resolution', resolution_before, 'note', note_before),
        jsonb_build_object('id', id, 'object', 'settlement_entry', 'match', match, 'resolution', resolution, 'note', note)
      FROM changed
    )
    SELECT id FROM before`;
}

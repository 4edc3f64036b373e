import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  MAXIMUM_DIFFERENCE_EVENTS,
  type ReportedSettlement,
  SETTLEMENT_DUE_DAYS,
  type SettlementSource,
} from '../../domain/settlement.ts';
import {
  type MatchedEntry,
  SETTLED_TRANSACTION_TYPES,
  type SettledTransaction,
} from '../../domain/settlement-match.ts';
import type { AccountScope } from '../fragments/conditions.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { settlementEntryJson } from '../fragments/settlement-json.ts';
import { Prisma } from '../generated/client.ts';
import { double, integer, nullable, oneOf, returning, type Statement, text } from '../connection/statement.ts';

/** By what a page of lines names our transactions. */
export interface SettledSubjects {
  readonly attemptIds: readonly string[];
  readonly refundIds: readonly string[];
  /** Of disputes, by the ids that we have made of the provider's. */
  readonly disputeIds: readonly string[];
  /** The provider's own ids of payments. */
  readonly providerPaymentIds: readonly string[];
}

/** The transactions of a provider that a page of lines may settle: those of all payments that it names. */
export function selectSettledTransactions(provider: string, subjects: SettledSubjects): Statement<SettledTransaction> {
  const { attemptIds, refundIds, disputeIds, providerPaymentIds } = subjects;
  return returning<SettledTransaction>({
    transactionId: text,
    type: oneOf(SETTLED_TRANSACTION_TYPES),
    amountMinor: double,
    currency: text,
    providerReference: text,
    providerPaymentId: nullable(text),
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    paymentIntentId: text,
    attemptId: text,
    refundId: nullable(text),
    disputeId: nullable(text),
    settledBy: nullable(text),
  })`
    WITH named AS (
      SELECT payment_intent_id AS id FROM payment_attempt WHERE id = ANY (${[...attemptIds]}::text[])
      UNION SELECT payment_intent_id FROM payment_attempt WHERE provider_payment_id = ANY (${[...providerPaymentIds]}::text[])
      UNION SELECT payment_intent_id FROM refund WHERE id = ANY (${[...refundIds]}::text[])
      UNION SELECT payment_intent_id FROM dispute WHERE id = ANY (${[...disputeIds]}::text[])
    )
    SELECT t.id AS "transactionId", t.type, t.amount_minor::float8 AS "amountMinor", t.currency,
      t.provider_payment_id AS "providerReference",
      (SELECT a.provider_payment_id FROM payment_attempt a WHERE a.id = t.attempt_id) AS "providerPaymentId",
      t.merchant_account_id AS "merchantAccountId", t.environment, t.payment_intent_id AS "paymentIntentId",
      t.attempt_id AS "attemptId", t.refund_id AS "refundId",
      (SELECT d.id FROM dispute d WHERE d.payment_intent_id = t.payment_intent_id AND d.provider_reference = t.provider_payment_id
        AND t.type IN ('chargeback', 'chargeback_reversal') LIMIT 1) AS "disputeId",
      (SELECT e.provider_reference FROM settlement_entry e
        WHERE e.merchant_account_id = t.merchant_account_id AND e.transaction_id = t.id AND e.superseded_at IS NULL
          AND e.match <> 'duplicate') AS "settledBy"
    FROM transaction t JOIN named ON named.id = t.payment_intent_id
    WHERE t.provider = ${provider} AND t.type IN (${Prisma.join([...SETTLED_TRANSACTION_TYPES])})
    ORDER BY t.created_at, t.id`;
}

/** An entry of a page as it is written. */
export interface NewEntry extends MatchedEntry {
  readonly id: string;
  /** The id of the event about it, should it be an exception. */
  readonly eventId: string;
  readonly account: AccountScope;
}

/** A page of the entries of a settlement, compared with our transactions. */
export interface SettlementPage {
  readonly importId: string;
  /** How many pages are written before it. */
  readonly page: number;
  readonly isFirstOfSettlement: boolean;
  /** Where the entries of the settlement continue; null where this was its last page. */
  readonly nextCursor: string | null;
  readonly provider: string;
  readonly source: SettlementSource;
  readonly settlement: ReportedSettlement;
  /** How many lines the page has; those of a shared provider that are nobody's are not written. */
  readonly lines: number;
  /** Whether accounts share the provider: then each has its own entries alone, and a settlement that is their sum. */
  readonly isShared: boolean;
  /** The accounts of the entries, and that of the provider's account, with the ids of their settlements. */
  readonly settlements: readonly { readonly id: string; readonly account: AccountScope }[];
  readonly entries: readonly NewEntry[];
}

const ENTRY_COLUMNS = Prisma.raw(`id text, "eventId" text, "merchantAccountId" text, environment text, type text,
  "providerType" text, "providerReference" text, "transactionId" text, "refundId" text, "disputeId" text,
  "paymentIntentId" text, "amountMinor" bigint, "feeMinor" bigint, "feeDetails" jsonb, "netMinor" bigint, currency text,
  "originalAmountMinor" bigint, "originalCurrency" text, "exchangeRate" text, "occurredAt" timestamptz, "availableOn" date,
  match text, details jsonb, reported jsonb, place int`);

/**
 * Writes a page. A line that is stored already stays, unless the provider reports it otherwise or it matches now: then the new entry
 * supersedes it, as it does one that was expected. Writes and returns nothing where the page is written already.
 */
export function writeSettlementPage(page: SettlementPage) {
  const { importId, provider, settlement, source, nextCursor, isShared } = page;
  const accounts = page.settlements.map(({ id, account }) => ({ id, ...account }));
  return returning({ id: text })`
    WITH run AS (
      SELECT id, since, exceptions FROM settlement_import
      WHERE id = ${importId} AND pages = ${page.page}::int AND status = 'running'
      FOR UPDATE
    ), of AS (
      INSERT INTO settlement (id, merchant_account_id, environment, provider, provider_reference, status, currency,
        net_amount_minor, is_shared, arrival_date, bank_reference, source, created_at, updated_at)
      SELECT a.id, a."merchantAccountId", a.environment, ${provider}, ${settlement.providerReference}, ${settlement.status},
        ${settlement.currency}, ${isShared ? 0 : settlement.netAmountMinor}::bigint, ${isShared},
        ${settlement.arrivalDate}::date, ${settlement.bankReference}, ${source}, now(), now()
      FROM run, jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS a(id text, "merchantAccountId" text, environment text)
      ON CONFLICT (provider, provider_reference, merchant_account_id) DO UPDATE SET updated_at = now()
      RETURNING id, merchant_account_id, environment
    ), expectations AS (
      INSERT INTO settlement_expectation (provider, merchant_account_id, environment, through)
      SELECT ${provider}, of.merchant_account_id, of.environment, COALESCE(run.since, now() - interval '60 days') FROM run, of
      ON CONFLICT DO NOTHING
    ), lines AS (
      SELECT of.id AS settlement_id, l.*
      FROM jsonb_to_recordset(${JSON.stringify(page.entries.map(entryColumns))}::jsonb) AS l(${ENTRY_COLUMNS})
        JOIN of ON of.merchant_account_id = l."merchantAccountId"
    ), stored AS (
      SELECT e.id, e.provider_reference, e.merchant_account_id, e.reported, e.settlement_id, e.match, e.resolution
      FROM lines l JOIN settlement_entry e ON e.provider = ${provider} AND e.merchant_account_id = l."merchantAccountId"
        AND e.provider_reference = l."providerReference" AND e.superseded_at IS NULL
    ), changed AS (
      SELECT l.*, stored.id AS stored_id FROM lines l LEFT JOIN stored
        ON stored.provider_reference = l."providerReference" AND stored.merchant_account_id = l."merchantAccountId"
      WHERE stored.id IS NULL OR stored.reported IS DISTINCT FROM l.reported
        OR stored.settlement_id IS DISTINCT FROM l.settlement_id
        OR (stored.match <> 'matched' AND stored.match <> l.match AND stored.resolution IS NULL)
    ), seen AS (
      UPDATE settlement_entry e SET seen_import_id = ${importId} FROM stored
      WHERE e.id = stored.id AND stored.id NOT IN (SELECT c.stored_id FROM changed c WHERE c.stored_id IS NOT NULL)
    ), corrected AS (
      UPDATE settlement_entry e SET superseded_at = now(), updated_at = now() FROM changed c
      WHERE e.id = c.stored_id AND e.superseded_at IS NULL
      RETURNING e.id
    ), came AS (
      UPDATE settlement_entry e SET superseded_at = now(), updated_at = now() FROM changed c
      WHERE e.merchant_account_id = c."merchantAccountId" AND e.transaction_id = c."transactionId"
        AND e.superseded_at IS NULL AND e.match IN ('expected', 'missing') AND c.match <> 'duplicate'
      RETURNING e.id
    ), closed AS (
      SELECT (SELECT count(*) FROM corrected)::int AS corrected, (SELECT count(*) FROM came)::int AS came
    ), inserted AS (
      INSERT INTO settlement_entry (id, settlement_id, merchant_account_id, environment, provider, type, provider_type,
        provider_reference, transaction_id, refund_id, dispute_id, payment_intent_id, amount_minor, fee_minor, fee_details,
        net_minor, currency, original_amount_minor, original_currency, exchange_rate, occurred_at, available_on, match, details,
        reported, seen_import_id, created_at, updated_at)
      SELECT c.id, c.settlement_id, c."merchantAccountId", c.environment, ${provider}, c.type, c."providerType",
        c."providerReference", c."transactionId", c."refundId", c."disputeId", c."paymentIntentId", c."amountMinor", c."feeMinor",
        c."feeDetails", c."netMinor", c.currency, c."originalAmountMinor", c."originalCurrency", c."exchangeRate",
        c."occurredAt", c."availableOn", c.match, NULLIF(c.details, 'null'), c.reported, ${importId}, now(), now()
      FROM changed c, closed WHERE closed.corrected >= 0 AND closed.came >= 0
      RETURNING *
    ), differing AS (
      SELECT inserted.*, c."eventId" AS event_id, row_number() OVER (ORDER BY c.place) AS number
      FROM inserted JOIN changed c ON c.id = inserted.id WHERE inserted.match <> 'matched'
    ), events AS (
      ${INSERT_EVENT}
      SELECT d.event_id, d.merchant_account_id, d.environment, 'settlement.difference_found', d.id, NULL, 0, NULL,
        jsonb_build_object('settlementEntry', ${settlementEntryJson('d')} - 'event_id' - 'number'), d.created_at
      FROM differing d, run WHERE run.exceptions + d.number <= ${MAXIMUM_DIFFERENCE_EVENTS}
    )
    UPDATE settlement_import i SET pages = i.pages + 1, cursor = ${nextCursor}, updated_at = now(),
      settlements = i.settlements + ${page.isFirstOfSettlement ? 1 : 0}::int, entries = i.entries + ${page.lines}::int,
      entries_new = i.entries_new + (SELECT count(*)::int FROM inserted),
      entries_superseded = i.entries_superseded + closed.corrected,
      exceptions = i.exceptions + (SELECT count(*)::int FROM differing)
    FROM run, closed WHERE i.id = run.id
    RETURNING i.id`;
}

function entryColumns({ entry, transaction, id, eventId, account, match, details }: NewEntry, place: number): object {
  const { matches: _, ...line } = entry;
  return {
    ...line,
    ...account,
    id,
    eventId,
    transactionId: transaction?.transactionId ?? null,
    refundId: transaction?.refundId ?? null,
    disputeId: transaction?.disputeId ?? null,
    paymentIntentId: transaction?.paymentIntentId ?? null,
    match,
    details,
    reported: entry,
    place,
  };
}

/** The settlements of the accounts that a provider's settlement belongs to, one where nobody shares the provider. */
export function selectSettlementIds(provider: string, providerReference: string) {
  return returning({ id: text })`
    SELECT id FROM settlement WHERE provider = ${provider} AND provider_reference = ${providerReference} ORDER BY id`;
}

/** Closes the entries of a settlement that the import, which has read it to its end, has not found any more. */
export function closeUnseenEntries(settlementId: string, importId: string) {
  return returning({ id: text })`
    WITH closed AS (
      UPDATE settlement_entry SET superseded_at = now(), updated_at = now()
      WHERE settlement_id = ${settlementId} AND superseded_at IS NULL AND seen_import_id IS DISTINCT FROM ${importId}
      RETURNING id
    ), counted AS (
      UPDATE settlement_import SET entries_superseded = entries_superseded + (SELECT count(*)::int FROM closed)
      WHERE id = ${importId}
    )
    SELECT id FROM closed`;
}

/** The settlements of a provider that have lost entries since an import began: to corrections, or to other settlements. */
export function selectSettlementsToRecount(importId: string) {
  return returning({ id: text })`
    SELECT s.id FROM settlement s WHERE s.id IN (
      SELECT e.settlement_id FROM settlement_import i
      JOIN settlement_entry e ON e.provider = i.provider AND e.superseded_at >= i.started_at
    WHERE i.id = ${importId} AND e.settlement_id IS NOT NULL
    ) ORDER BY s.id`;
}

/** The ids of the events that a change of a settlement may need. */
export interface SettlementEventIds {
  readonly created: string;
  readonly paid: string;
  readonly failed: string;
}

/** Sums up the entries of a settlement that are in its currency. Σ net of them and what is unexplained are its net amount. */
export function recountSettlement(id: string, reported: ReportedSettlement | null, eventIds: SettlementEventIds) {
  const status = reported?.status ?? null;
  return returning({ id: text })`
    WITH before AS (
      SELECT * FROM settlement WHERE id = ${id} FOR UPDATE
    ), own AS (
      SELECT e.*, (SELECT COALESCE(sum((f->>'amountMinor')::bigint), 0) FROM jsonb_array_elements(e.fee_details) f
          WHERE f->>'type' = 'tax') AS tax
      FROM before JOIN settlement_entry e ON e.settlement_id = before.id AND e.superseded_at IS NULL
    ), counts AS (
      SELECT count(*)::int AS total, (count(*) FILTER (WHERE match = 'matched'))::int AS matched,
        (count(*) FILTER (WHERE match NOT IN ('matched', 'expected') AND resolution IS NULL))::int AS exceptions
      FROM own
    ), sums AS (
      SELECT COALESCE(sum(own.net_minor), 0)::bigint AS net,
        COALESCE(sum(own.amount_minor) FILTER (WHERE own.type = 'payment'), 0)::bigint AS gross,
        COALESCE(sum(own.tax), 0)::bigint AS tax,
        (COALESCE(sum(own.fee_minor - own.tax), 0) - COALESCE(sum(own.amount_minor) FILTER (WHERE own.type = 'fee'), 0))::bigint AS fee
      FROM own, before WHERE own.currency = before.currency
    ), types AS (
      SELECT COALESCE(jsonb_object_agg(type, amount), '{}'::jsonb) AS amounts FROM (
        SELECT own.type, sum(own.amount_minor) AS amount FROM own, before WHERE own.currency = before.currency GROUP BY own.type
      ) AS by_type
    ), after AS (
      UPDATE settlement s SET gross_amount_minor = sums.gross, fee_amount_minor = sums.fee, tax_amount_minor = sums.tax,
        entries_net_minor = sums.net, amounts_by_type = types.amounts, entries_total = counts.total,
        entries_matched = counts.matched, entries_exceptions = counts.exceptions,
        net_amount_minor = CASE WHEN s.is_shared THEN sums.net
          ELSE COALESCE(${reported?.netAmountMinor ?? null}::bigint, s.net_amount_minor) END,
        status = COALESCE(${status}::text, s.status),
        arrival_date = COALESCE(${reported?.arrivalDate ?? null}::date, s.arrival_date),
        bank_reference = COALESCE(${reported?.bankReference ?? null}::text, s.bank_reference),
        settled_at = CASE WHEN COALESCE(${status}::text, s.status) = 'paid' THEN COALESCE(s.settled_at, now()) END,
        imported_at = COALESCE(s.imported_at, now()), updated_at = now()
      FROM before, counts, sums, types WHERE s.id = before.id
      RETURNING s.*
    ), happened AS (
      SELECT ${eventIds.created}::text AS event_id, 'settlement.created' AS type, 1 AS place FROM before WHERE imported_at IS NULL
      UNION ALL
      SELECT ${eventIds.paid}, 'settlement.paid', 2 FROM before, after
      WHERE after.status = 'paid' AND (before.imported_at IS NULL OR before.status <> 'paid')
      UNION ALL
      SELECT ${eventIds.failed}, 'settlement.failed', 2 FROM before, after
      WHERE after.status IN ('failed', 'returned') AND (before.imported_at IS NULL OR before.status <> after.status)
    ), events AS (
      ${INSERT_EVENT}
      SELECT h.event_id, after.merchant_account_id, after.environment, h.type, after.id, NULL, 0, NULL,
        jsonb_build_object('settlement', to_jsonb(after)), now()
      FROM happened h, after ORDER BY h.place
    )
    SELECT id FROM after`;
}

/** The accounts whose money a provider settles, in the order of their ids. */
export function selectExpectingAccounts(provider: string, after: string, limit: number) {
  return returning({ merchantAccountId: text, environment: oneOf(ENVIRONMENTS) })`
    SELECT merchant_account_id AS "merchantAccountId", environment FROM settlement_expectation
    WHERE provider = ${provider} AND merchant_account_id > ${after} ORDER BY merchant_account_id LIMIT ${limit}`;
}

/**
 * Makes an entry of each transaction of an account that its provider will settle and has not: of the next ones in the order of
 * their creation. The latest are left to the next time, for those that are written now may come before them.
 * @param ids of new entries, as many as transactions are looked at
 */
export function expectTransactions(provider: string, account: AccountScope, ids: readonly string[]) {
  const { merchantAccountId, environment } = account;
  return returning({ looked: integer })`
    WITH place AS (
      SELECT through, through_id FROM settlement_expectation
      WHERE provider = ${provider} AND merchant_account_id = ${merchantAccountId} FOR UPDATE
    ), next AS (
      SELECT t.*, row_number() OVER (ORDER BY t.created_at, t.id) AS place FROM (
        SELECT t.* FROM place, transaction t
        WHERE t.merchant_account_id = ${merchantAccountId} AND (t.created_at, t.id) > (place.through, place.through_id)
          AND t.created_at < now() - interval '1 minute'
        ORDER BY t.created_at, t.id LIMIT ${ids.length}
      ) AS t
    ), inserted AS (
      ${insertExpected(Prisma.sql`next`, ids)}
      WHERE n.provider = ${provider} AND n.environment = ${environment}
        AND n.type IN (${Prisma.join([...SETTLED_TRANSACTION_TYPES])})
        AND NOT EXISTS (SELECT FROM settlement_entry e WHERE e.merchant_account_id = n.merchant_account_id
          AND e.transaction_id = n.id AND e.superseded_at IS NULL)
      ON CONFLICT DO NOTHING
    ), moved AS (
      UPDATE settlement_expectation x SET through = last.created_at, through_id = last.id
      FROM (SELECT created_at, id FROM next ORDER BY place DESC LIMIT 1) AS last
      WHERE x.provider = ${provider} AND x.merchant_account_id = ${merchantAccountId}
    )
    SELECT count(*)::int AS looked FROM next`;
}

/**
 * Expects transactions again whose line the provider no longer reports as it did when an import began, and which are in no other
 * entry now.
 * @param ids of new entries, as many as are made at most
 */
export function expectAgain(importId: string, ids: readonly string[]) {
  return returning({ id: text })`
    WITH lost AS (
      SELECT t.*, row_number() OVER (ORDER BY t.id) AS place FROM (
        SELECT DISTINCT e.transaction_id FROM settlement_import i
          JOIN settlement_entry e ON e.provider = i.provider AND e.superseded_at >= i.started_at
        WHERE i.id = ${importId} AND e.transaction_id IS NOT NULL
      ) AS closed JOIN transaction t ON t.id = closed.transaction_id
      WHERE NOT EXISTS (SELECT FROM settlement_entry e WHERE e.merchant_account_id = t.merchant_account_id
        AND e.transaction_id = t.id AND e.superseded_at IS NULL)
      LIMIT ${ids.length}
    )
    ${insertExpected(Prisma.sql`lost`, ids)}
    ON CONFLICT DO NOTHING
    RETURNING id`;
}

/** Inserts an entry for each transaction of a table expression, which has their places from 1 on. */
function insertExpected(rows: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`
      INSERT INTO settlement_entry (id, merchant_account_id, environment, provider, type, transaction_id, refund_id, dispute_id,
        payment_intent_id, amount_minor, currency, occurred_at, match, created_at, updated_at)
      SELECT (${[...ids]}::text[])[n.place], n.merchant_account_id, n.environment, n.provider,
        CASE n.type WHEN 'capture' THEN 'payment' ELSE n.type END, n.id, n.refund_id,
        (SELECT d.id FROM dispute d WHERE d.payment_intent_id = n.payment_intent_id
          AND d.provider_reference = n.provider_payment_id AND n.type IN ('chargeback', 'chargeback_reversal') LIMIT 1),
        n.payment_intent_id,
        CASE WHEN n.type IN ('capture', 'chargeback_reversal') THEN n.amount_minor ELSE -n.amount_minor END,
        n.currency, n.created_at, 'expected', now(), now()
      FROM ${rows} AS n`;
}

/**
 * Calls what has been expected for too long missing, with an event for each. An account's test clock counts for what had happened
 * before it was last advanced.
 * @param eventIds as many as entries are changed at most
 */
export function markMissing(provider: string, account: AccountScope, eventIds: readonly string[]) {
  return returning({ id: text })`
    WITH due AS (
      SELECT e.id FROM settlement_entry e
      WHERE e.merchant_account_id = ${account.merchantAccountId} AND e.provider = ${provider} AND e.superseded_at IS NULL
        AND e.match = 'expected'
        AND e.occurred_at < now() - make_interval(days => ${SETTLEMENT_DUE_DAYS}::int) + make_interval(secs => COALESCE((
          SELECT c.advanced_seconds FROM test_clock c
          WHERE c.merchant_account_id = e.merchant_account_id AND c.environment = e.environment AND c.advanced_at > e.occurred_at
        ), 0))
      ORDER BY e.occurred_at LIMIT ${eventIds.length}
      FOR UPDATE
    ), missing AS (
      UPDATE settlement_entry e SET match = 'missing', updated_at = now(),
        details = jsonb_build_object('ours', jsonb_build_object('amount', e.amount_minor, 'currency', e.currency), 'theirs', NULL)
      FROM due WHERE e.id = due.id
      RETURNING e.*
    ), events AS (
      ${INSERT_EVENT}
      SELECT (${[...eventIds]}::text[])[m.number], m.merchant_account_id, m.environment, 'settlement.difference_found', m.id, NULL,
        0, NULL, jsonb_build_object('settlementEntry', ${settlementEntryJson('m')} - 'number'), m.updated_at
      FROM (SELECT missing.*, row_number() OVER (ORDER BY missing.id) AS number FROM missing) AS m
    )
    SELECT id FROM missing`;
}

// it was decided.
import type { ChainPosition, DepositSettlement, DepositStatus, NewDeposit } from '../../domain/deposit.ts';
import { CHECK_AFTER_MS, type TimelineEntry } from '../../domain/payment-step.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { Prisma } from '../generated/client.ts';
import {
  bigint,
  double,
  integer,
  json,
  nullable,
  returning,
  type RowOf,
  text,
  timestamp,
  uncheckedText,
} from '../connection/statement.ts';

export function selectNextDepositIndex() {
  return returning({ index: integer })`SELECT nextval('deposit_index')::int AS index`;
}

/** Records a deposit unless its attempt has one, and the block from which to read the chain unless it is read already. */
export function insertDeposit(deposit: NewDeposit, start: ChainPosition): Prisma.Sql {
  return Prisma.sql`
    WITH cursor AS (
      INSERT INTO deposit_cursor (provider, block_number, block_hash)
      VALUES (${deposit.provider}, ${start.number}, ${start.hash})
      ON CONFLICT (provider) DO NOTHING
    )
    INSERT INTO deposit_address (attempt_id, payment_intent_id, provider, derivation_index, address, asset, network, contract,
      decimals, expected_amount, amount_minor, currency, confirmations, quote_expires_at, start_block)
    VALUES (${deposit.attemptId}, ${deposit.paymentIntentId}, ${deposit.provider}, ${deposit.index}, ${deposit.address},
      ${deposit.asset}, ${deposit.network}, ${deposit.contract}, ${deposit.decimals}, ${String(deposit.expected)}::numeric,
      ${deposit.amountMinor}, ${deposit.currency}, ${deposit.confirmations}, ${deposit.quoteExpiresAt}, ${start.number})
    ON CONFLICT (attempt_id) DO NOTHING`;
}

/** A transfer as JSON, in which numbers would lose digits. */
export interface TransferJson {
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly amount: string;
  readonly at: string;
  readonly isConfirmed: boolean;
}

const DEPOSIT = returning({
  attemptId: text,
  paymentIntentId: text,
  provider: text,
  index: integer,
  address: text,
  asset: text,
  network: text,
  contract: text,
  decimals: integer,
  expected: text,
  amountMinor: bigint,
  currency: text,
  confirmations: integer,
  quoteExpiresAt: timestamp,
  status: uncheckedText<DepositStatus>(),
  settled: text,
  stray: text,
  transfers: json<readonly TransferJson[]>(),
  confirmedAt: nullable(timestamp),
  readToNumber: double,
  readToHash: text,
  readAt: timestamp,
})`
  SELECT d.attempt_id AS "attemptId", d.payment_intent_id AS "paymentIntentId", d.provider, d.derivation_index AS index,
    d.address, d.asset, d.network, d.contract, d.decimals, d.expected_amount::text AS expected,
    d.amount_minor AS "amountMinor", d.currency, d.confirmations, d.quote_expires_at AS "quoteExpiresAt", d.status,
    d.settled_amount::text AS settled, d.stray_amount::text AS stray, (
      SELECT COALESCE(jsonb_agg(jsonb_build_object('transactionHash', t.transaction_hash, 'logIndex', t.log_index,
        'amount', t.amount::text, 'at', t.block_at, 'isConfirmed', t.block_number <= c.confirmed_number
      ) ORDER BY t.block_number, t.log_index), '[]'::jsonb)
      FROM deposit_transfer t WHERE t.attempt_id = d.attempt_id
    ) AS transfers, c.confirmed_at AS "confirmedAt", c.block_number::float8 AS "readToNumber", c.block_hash AS "readToHash",
    c.read_at AS "readAt"
  FROM deposit_address d JOIN deposit_cursor c ON c.provider = d.provider`;

export type DepositRow = RowOf<typeof DEPOSIT>;

export function selectDeposit(attemptId: string) {
  return returning(DEPOSIT.columns)`${DEPOSIT.sql} WHERE d.attempt_id = ${attemptId}`;
}

/** Whether a row of `payment_intent` has an address whose deposit has not ended. */
export const HAS_OPEN_DEPOSIT = Prisma.sql`EXISTS (SELECT FROM deposit_address d
  WHERE d.payment_intent_id = payment_intent.id AND d.status = 'open')`;

/** Closes a deposit that is open, unless enough has arrived in time: transfers may have been read since the caller looked. */
export function closeDeposit(attemptId: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE deposit_address SET status = 'closed'
    WHERE attempt_id = ${attemptId} AND status = 'open' AND expected_amount > (
      SELECT COALESCE(sum(t.amount), 0) FROM deposit_transfer t
      WHERE t.attempt_id = ${attemptId} AND t.block_at <= deposit_address.quote_expires_at
    )`;
}

export interface DueDeposits {
  readonly provider: string;
  /** Only deposits after the one of this attempt. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Deposits that may need a decision: the quote has expired, or transfers are not settled yet. Tokens that arrive at an ended
 * deposit wait until its attempt has ended too: only then are they a stray charge.
 */
export function selectDueDeposits({ provider, after = '', limit }: DueDeposits) {
  return returning(DEPOSIT.columns)`
    ${DEPOSIT.sql}
    WHERE d.attempt_id IN (
      SELECT attempt_id FROM deposit_address
      WHERE provider = ${provider} AND status = 'open'
        AND quote_expires_at < (SELECT confirmed_at FROM deposit_cursor WHERE deposit_cursor.provider = ${provider})
      UNION SELECT t.attempt_id FROM deposit_transfer t JOIN deposit_address a ON a.attempt_id = t.attempt_id
        JOIN payment_attempt p ON p.id = t.attempt_id
      WHERE t.provider = ${provider} AND NOT t.is_settled AND (a.status = 'open' OR p.outcome IS NOT NULL)
    ) AND d.attempt_id > ${after}
    ORDER BY d.attempt_id
    LIMIT ${limit}`;
}

export interface SettlementWrite {
  readonly settlement: DepositSettlement;
  /** The block up to which the chain was read when the decision was made. */
  readonly readTo: ChainPosition;
  /** The report to the payment's workflow; null where there is none. */
  readonly report: ProviderEvent | null;
  /** What the payment's timeline shows of the decision; null where that is nothing. */
  readonly entry: TimelineEntry | null;
  /** Identifies the timeline's entry. */
  readonly stepId: string;
}

/**
 * Writes a decision together with its entry in the payment's timeline and the report to its workflow, if the deposit is unchanged
 * since it was read, and the chain is still read up to the same block: another worker may have rolled back the transfers on which
 * the decision is based. The sweeper of provider events delivers the report like one from a webhook. To be run under the lock of
 * the payment's row, which a step of the payment takes before the deposit's.
 */
export function settleDepositOf({ settlement, readTo, report, entry, stepId }: SettlementWrite) {
  const { deposit, after, transfers } = settlement;
  const covered = transfers.map(({ transactionHash, logIndex }) => ({ transactionHash, logIndex }));
  return returning({ attemptId: text })`
    WITH settled AS (
      UPDATE deposit_address
      SET status = ${after.status}, settled_amount = ${String(after.settled)}::numeric, stray_amount = ${String(after.stray)}::numeric
      WHERE attempt_id = ${deposit.attemptId} AND status = ${deposit.status}
        AND settled_amount = ${String(deposit.settled)}::numeric AND ${isStillReadTo(deposit.provider, readTo)}
      RETURNING attempt_id, provider, payment_intent_id
    ), covered AS (
      UPDATE deposit_transfer SET is_settled = true
      FROM settled, jsonb_to_recordset(${JSON.stringify(covered)}::jsonb) AS c("transactionHash" text, "logIndex" int)
      WHERE deposit_transfer.provider = settled.provider AND transaction_hash = c."transactionHash" AND log_index = c."logIndex"
    ), noted AS (
      UPDATE payment_intent SET version = version + 1, updated_at = now(),
        next_due_at = now() + make_interval(secs => ${CHECK_AFTER_MS / SECOND_MS}::int)
      FROM settled WHERE payment_intent.id = settled.payment_intent_id AND ${entry !== null}
      RETURNING payment_intent.id, payment_intent.version, payment_intent.updated_at
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at, step_id)
      SELECT id, version, 1, entry.value->>'kind', entry.value->>'summary', entry.value->'details', updated_at, ${stepId}
      FROM noted, (VALUES (${JSON.stringify(entry)}::jsonb)) AS entry(value)
    ), reported AS (
      INSERT INTO provider_event (provider, event_id, payment_intent_id, event)
      SELECT provider, ${report?.eventId ?? null}, payment_intent_id, ${JSON.stringify(report)}::jsonb FROM settled
      WHERE ${report !== null}
      ON CONFLICT (provider, event_id) DO NOTHING
    )
    SELECT attempt_id AS "attemptId" FROM settled`;
}

/**
 * A condition: the chain of a provider is read up to this block. It is not moved before the transaction ends, and a move that is
 * under way is awaited.
 */
function isStillReadTo(provider: string, { number, hash }: ChainPosition): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM deposit_cursor c
    WHERE c.provider = ${provider} AND c.block_number = ${number} AND c.block_hash = ${hash} FOR SHARE)`;
}

/** A block that was the last one of a read: its number and hash. */
export type ReadBlock = readonly [number: number, hash: string];

/** How far the chain of a provider was read, and the present time; no row where it has given out no address yet. */
export function selectDepositCursor(provider: string) {
  return returning({ number: double, hash: text, earlier: json<readonly ReadBlock[]>(), now: timestamp })`
    SELECT block_number::float8 AS number, block_hash AS hash, earlier_blocks AS earlier, now() AS now
    FROM deposit_cursor WHERE provider = ${provider}`;
}

/** Addresses of a provider. */
export function selectDepositAddresses(provider: string, limit: number) {
  return returning({ address: text })`
    SELECT address FROM deposit_address WHERE provider = ${provider} LIMIT ${limit}`;
}

interface AddressAndToken {
  readonly recipient: string;
  readonly contract: string;
}

/** The recipients that are addresses of a provider at which this token is expected. */
export function selectAwaited(provider: string, transfers: readonly AddressAndToken[]) {
  return returning({ attemptId: text, address: text, contract: text })`
    SELECT d.attempt_id AS "attemptId", d.address, d.contract
    FROM (SELECT DISTINCT recipient, contract
      FROM jsonb_to_recordset(${JSON.stringify(transfers)}::jsonb) AS t(recipient text, contract text)) t
    JOIN deposit_address d ON d.provider = ${provider} AND d.address = t.recipient AND d.contract = t.contract`;
}

/** A transfer to an address of a provider. */
export interface NewTransfer {
  readonly attemptId: string;
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** ISO 8601 UTC */
  readonly blockAt: string;
  /** In the token's smallest unit. */
  readonly amount: string;
}

export interface DepositProgress {
  readonly provider: string;
  /** The block at which the cursor must be. */
  readonly from: ChainPosition;
  readonly to: ChainPosition;
  readonly earlier: readonly ReadBlock[];
  /**
   * When this read began, if it reached the newest block; null if later blocks, which may hold deposits, are still unread. Not the
   * time of the write: a leader that was paused may write long after.
   */
  readonly readAt: Date | null;
  /** The newest block whose transfers count; null while there is none. */
  readonly confirmed: { readonly number: number; readonly at: Date } | null;
  readonly transfers: readonly NewTransfer[];
}

/** Moves the cursor on, and records the transfers of the blocks in between; changes nothing if another worker was faster. */
export function advanceDepositCursor(progress: DepositProgress) {
  const { provider, transfers } = progress;
  return returning({ provider: text })`
    WITH moved AS (
      ${moveCursor(progress, Prisma.sql`GREATEST(read_at, ${progress.readAt})`, Prisma.empty)}
    ), added AS (
      INSERT INTO deposit_transfer
        (provider, transaction_hash, log_index, attempt_id, block_number, block_hash, block_at, amount)
      SELECT moved.provider, t."transactionHash", t."logIndex", t."attemptId", t."blockNumber", t."blockHash", t."blockAt", t.amount
      FROM moved, jsonb_to_recordset(${JSON.stringify(transfers)}::jsonb) AS t("attemptId" text, "transactionHash" text,
        "logIndex" int, "blockNumber" bigint, "blockHash" text, "blockAt" timestamptz, amount numeric)
      WHERE EXISTS (SELECT FROM deposit_address WHERE attempt_id = t."attemptId" AND deposit_address.provider = ${provider})
      ON CONFLICT DO NOTHING
    )
    SELECT provider FROM moved`;
}

export interface DepositRollback extends Pick<DepositProgress, 'provider' | 'from' | 'to' | 'earlier'> {
  /** The settled transfers that people were told about. */
  readonly reported: readonly Pick<NewTransfer, 'transactionHash' | 'logIndex'>[];
}

/**
 * Moves the cursor back to a block that the chain still has, and deletes the transfers of the blocks after it. Changes nothing if
 * another worker was faster, or has settled a transfer that is not reported yet. To be run under the lock of the cursor: otherwise
 * it would not see the settlement that it has waited for. Until the new branch was read, the chain counts as not read recently.
 */
export function rollBackDeposits({ reported, ...rollback }: DepositRollback) {
  const { provider, to } = rollback;
  const move = { ...rollback, confirmed: null };
  return returning({ provider: text })`
    WITH moved AS (
      ${moveCursor(
        move,
        Prisma.sql`'epoch'`,
        Prisma.sql`AND NOT EXISTS (
        SELECT FROM deposit_transfer t
        WHERE t.provider = ${provider} AND t.block_number > ${to.number} AND t.is_settled
          AND (t.transaction_hash, t.log_index) NOT IN (
            SELECT "transactionHash", "logIndex"
            FROM jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) AS r("transactionHash" text, "logIndex" int)))`,
      )}
    ), deleted AS (
      DELETE FROM deposit_transfer USING moved
      WHERE deposit_transfer.provider = moved.provider AND deposit_transfer.block_number > ${to.number}
    )
    SELECT provider FROM moved`;
}

function moveCursor(
  { provider, from, to, earlier, confirmed }: Omit<DepositProgress, 'transfers' | 'readAt'>,
  readAt: Prisma.Sql,
  condition: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    UPDATE deposit_cursor
    SET block_number = ${to.number}, block_hash = ${to.hash}, earlier_blocks = ${JSON.stringify(earlier)}::jsonb,
      confirmed_number = ${confirmed?.number ?? -1}, confirmed_at = ${confirmed?.at ?? null}, read_at = ${readAt}
    WHERE deposit_cursor.provider = ${provider} AND block_number = ${from.number} AND block_hash = ${from.hash} ${condition}
    RETURNING deposit_cursor.provider`;
}

/**
 * All transfers after a block that an outcome or a report has covered, oldest first; none if the chain is no longer read up to the
 * block where it was found reorganised: then they may be of the new branch.
 */
export function selectSettledTransfers({ provider, from, to }: Pick<DepositRollback, 'provider' | 'from' | 'to'>) {
  return returning({
    attemptId: text,
    paymentIntentId: text,
    asset: text,
    decimals: integer,
    status: uncheckedText<DepositStatus>(),
    amount: text,
    transactionHash: text,
    logIndex: integer,
    blockHash: text,
    blockNumber: double,
  })`
    SELECT d.attempt_id AS "attemptId", d.payment_intent_id AS "paymentIntentId", d.asset, d.decimals, d.status,
      t.amount::text AS amount, t.transaction_hash AS "transactionHash", t.log_index AS "logIndex",
      t.block_hash AS "blockHash", t.block_number::float8 AS "blockNumber"
    FROM deposit_transfer t JOIN deposit_address d ON d.attempt_id = t.attempt_id
      JOIN deposit_cursor c ON c.provider = t.provider
    WHERE t.provider = ${provider} AND t.block_number > ${to.number} AND t.is_settled
      AND c.block_number = ${from.number} AND c.block_hash = ${from.hash}
    ORDER BY t.block_number, t.log_index`;
}

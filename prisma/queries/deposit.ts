// Raw, because amounts of tokens are numbers of up to 78 digits, and each change is one statement that checks the data on which
// it was decided.
import type { DepositSettlement, DepositStatus, NewDeposit, StartBlock } from '../../domain/deposit.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
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
} from '../statement.ts';

export function selectNextDepositIndex() {
  return returning({ index: integer })`SELECT nextval('deposit_index')::int AS index`;
}

/** Records a deposit unless its attempt has one, and the block from which to read the chain unless it is read already. */
export function insertDeposit(deposit: NewDeposit, start: StartBlock): Prisma.Sql {
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
    ) AS transfers, c.confirmed_at AS "confirmedAt", c.read_at AS "readAt"
  FROM deposit_address d JOIN deposit_cursor c ON c.provider = d.provider`;

export type DepositRow = RowOf<typeof DEPOSIT>;

export function selectDeposit(attemptId: string) {
  return returning(DEPOSIT.columns)`${DEPOSIT.sql} WHERE d.attempt_id = ${attemptId}`;
}

/** Whether a row of `payment_intent` has an address whose deposit has not ended. */
export const HAS_OPEN_DEPOSIT = Prisma.sql`EXISTS (SELECT FROM deposit_address d
  WHERE d.payment_intent_id = payment_intent.id AND d.status = 'open')`;

export function closeDeposit(attemptId: string): Prisma.Sql {
  return Prisma.sql`UPDATE deposit_address SET status = 'closed' WHERE attempt_id = ${attemptId} AND status = 'open'`;
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

/**
 * Writes a decision, if the deposit is unchanged since it was read, together with the report to the payment's workflow. The
 * sweeper of provider events delivers the report like one from a webhook.
 */
export function settleDepositOf(
  { deposit, after, transfers }: DepositSettlement,
  report: ProviderEvent | null,
): Prisma.Sql {
  const covered = transfers.map(({ transactionHash, logIndex }) => ({ transactionHash, logIndex }));
  return Prisma.sql`
    WITH settled AS (
      UPDATE deposit_address
      SET status = ${after.status}, settled_amount = ${String(after.settled)}::numeric, stray_amount = ${String(after.stray)}::numeric
      WHERE attempt_id = ${deposit.attemptId} AND status = ${deposit.status}
        AND settled_amount = ${String(deposit.settled)}::numeric
      RETURNING provider, payment_intent_id
    ), covered AS (
      UPDATE deposit_transfer SET is_settled = true
      FROM settled, jsonb_to_recordset(${JSON.stringify(covered)}::jsonb) AS c("transactionHash" text, "logIndex" int)
      WHERE deposit_transfer.provider = settled.provider AND transaction_hash = c."transactionHash" AND log_index = c."logIndex"
    )
    INSERT INTO provider_event (provider, event_id, payment_intent_id, event)
    SELECT provider, ${report?.eventId ?? null}, payment_intent_id, ${JSON.stringify(report)}::jsonb FROM settled
    WHERE ${report !== null}
    ON CONFLICT (provider, event_id) DO NOTHING`;
}

/** A block that was the last one of a read: its number and hash. */
export type ReadBlock = readonly [number: number, hash: string];

/** How far the chain of a provider was read; no row where it has given out no address yet. */
export function selectDepositCursor(provider: string) {
  return returning({ number: double, hash: text, earlier: json<readonly ReadBlock[]>() })`
    SELECT block_number::float8 AS number, block_hash AS hash, earlier_blocks AS earlier
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
  readonly from: StartBlock;
  readonly to: StartBlock;
  readonly earlier: readonly ReadBlock[];
  /** The newest block whose transfers count; null while there is none. */
  readonly confirmed: { readonly number: number; readonly at: Date } | null;
  readonly transfers: readonly NewTransfer[];
}

/** Moves the cursor on, and records the transfers of the blocks in between; changes nothing if another worker was faster. */
export function advanceDepositCursor(progress: DepositProgress) {
  const { provider, transfers } = progress;
  return returning({ provider: text })`
    WITH moved AS (${moveCursor(progress)}), added AS (
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

/** Moves the cursor back to a block that the chain still has, and deletes the transfers of the blocks after it. */
export function rollBackDeposits(progress: Omit<DepositProgress, 'confirmed' | 'transfers'>): Prisma.Sql {
  return Prisma.sql`
    WITH moved AS (${moveCursor({ ...progress, confirmed: null })})
    DELETE FROM deposit_transfer USING moved
    WHERE deposit_transfer.provider = moved.provider AND deposit_transfer.block_number > ${progress.to.number}`;
}

function moveCursor({ provider, from, to, earlier, confirmed }: Omit<DepositProgress, 'transfers'>): Prisma.Sql {
  return Prisma.sql`
    UPDATE deposit_cursor
    SET block_number = ${to.number}, block_hash = ${to.hash}, earlier_blocks = ${JSON.stringify(earlier)}::jsonb,
      confirmed_number = ${confirmed?.number ?? -1}, confirmed_at = ${confirmed?.at ?? null}, read_at = now()
    WHERE deposit_cursor.provider = ${provider} AND block_number = ${from.number} AND block_hash = ${from.hash}
    RETURNING deposit_cursor.provider`;
}

/** All transfers after a block that an outcome or a report has covered, oldest first. */
export function selectSettledTransfers(provider: string, afterBlock: number) {
  return returning({
    attemptId: text,
    paymentIntentId: text,
    asset: text,
    decimals: integer,
    status: uncheckedText<DepositStatus>(),
    amount: text,
    transactionHash: text,
    blockHash: text,
    blockNumber: double,
  })`
    SELECT d.attempt_id AS "attemptId", d.payment_intent_id AS "paymentIntentId", d.asset, d.decimals, d.status,
      t.amount::text AS amount, t.transaction_hash AS "transactionHash", t.block_hash AS "blockHash",
      t.block_number::float8 AS "blockNumber"
    FROM deposit_transfer t JOIN deposit_address d ON d.attempt_id = t.attempt_id
    WHERE t.provider = ${provider} AND t.block_number > ${afterBlock} AND t.is_settled
    ORDER BY t.block_number, t.log_index`;
}

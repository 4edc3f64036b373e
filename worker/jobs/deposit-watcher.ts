import type { Logger } from 'pino';
import { decimalUnits } from '../../domain/crypto-assets.ts';
import { detailsOf, type DepositSettlement, settleDeposit } from '../../domain/deposit.ts';
import type { PaymentStep, TimelineEntry } from '../../domain/payment-step.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import { depositRecordOf } from '../../prisma/deposit-store.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/payment-store.ts';
import {
  advanceDepositCursor,
  type DepositRollback,
  type NewTransfer,
  type ReadBlock,
  rollBackDeposits,
  selectAwaited,
  selectDepositAddresses,
  selectDepositCursor,
  selectDueDeposits,
  selectSettledTransfers,
  settleDepositOf,
} from '../../prisma/queries/deposit.ts';
import { lockDepositCursor, lockIntent } from '../../prisma/queries/lock.ts';
import type { RowOf } from '../../prisma/statement.ts';
import {
  type Block,
  type EvmChain,
  type TokenTransfer,
  type TransferQuery,
  untilAborted,
} from '../../providers/evm/chain.ts';
import type { WatchedAccount } from '../../providers/evm/evm-accounts.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import { sweep } from './sweep.ts';

export interface DepositWatcherDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** The alert of tokens that arrived for a payment which has its money already. */
const DEPOSIT_SURPLUS = 'DEPOSIT_SURPLUS';
/** The alert of tokens that a reorganisation took back after an outcome had covered them. */
const DEPOSIT_REORGANIZED = 'DEPOSIT_REORGANIZED';

/** Blocks that are read at once. */
const MAXIMUM_BLOCKS = 100;
/** The newest blocks are read one by one, by their hash: one node may lack a block that another one has. */
const NEWEST_BLOCKS = 32;
/** Earlier reads whose last blocks are kept: a reorganisation of more blocks is read again from further back. */
const KEPT_BLOCKS = 256;
/** If the newest block is older than this, the chain or its node has stalled. */
const STALLED_AFTER_MS = 5 * MINUTE_MS;
/** Beyond this number of addresses all transfers of the tokens are read: nodes limit the length of a filter. */
const MAXIMUM_FILTER = 500;
const PAGE_SIZE = 100;
const CONCURRENCY = 5;

export interface WatchSignals {
  /** Ends the run: it waits for the calls of the node that are under way, and makes no others. */
  readonly stop: AbortSignal;
  /** Ends the reading in the same way; the run still decides on what it has read. */
  readonly timeUp: AbortSignal;
}

/**
 * Reads what has happened on the chain of an account since the last run, and decides what becomes of its deposits. Any number of
 * workers may run it at the same time.
 * @throws ProviderOutageError where the chain cannot be read, or the time was up in the middle of a read
 */
export async function watchDeposits(
  dependencies: DepositWatcherDependencies,
  given: WatchedAccount,
  { stop, timeUp }: WatchSignals,
): Promise<void> {
  const account = { ...given, chain: untilAborted(given.chain, stop, timeUp) };
  try {
    let blocks: number | null = MAXIMUM_BLOCKS;
    while (blocks !== null && !stop.aborted && !timeUp.aborted) blocks = await readOn(dependencies, account, blocks);
  } finally {
    await settleDueDeposits(dependencies, account.name, stop);
  }
}

/** Settles the due deposits, even after a failed read: the blocks that were read may be enough for some. */
async function settleDueDeposits(
  dependencies: DepositWatcherDependencies,
  provider: string,
  signal: AbortSignal,
): Promise<void> {
  await sweep({
    readPage: async (after: DueDeposit | undefined) =>
      await dependencies.database.direct.rows(
        selectDueDeposits({ provider, after: after?.attemptId, limit: PAGE_SIZE }),
      ),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: (row) => settle(dependencies, row),
    signal,
  });
}

type DueDeposit = RowOf<ReturnType<typeof selectDueDeposits>>;
type Cursor = RowOf<ReturnType<typeof selectDepositCursor>>;

/**
 * Reads the next blocks.
 * @param blocks the most that are read at once
 * @returns how many blocks this read covered, or null if there are no more
 */
async function readOn(
  dependencies: DepositWatcherDependencies,
  account: WatchedAccount,
  blocks: number,
): Promise<number | null> {
  const { direct } = dependencies.database;
  const { name: provider, chain } = account;
  const cursor = await direct.row(selectDepositCursor(provider));
  if (cursor === undefined) return null;
  const head = await chain.head();
  // This node is behind the one that was read before, or the chain is being reorganised. Its head will grow again.
  if (head.number < cursor.number) return null;
  const known = head.number === cursor.number ? head : await requireBlock(chain, cursor.number);
  if (known.hash !== cursor.hash) {
    await requireItsChain(account);
    await rollBack(dependencies, account, cursor);
    return blocks;
  }
  const read = await readBlocks(dependencies, account, cursor, { head, blocks });
  if (read === null) return null;
  const { end, transfers, confirmed } = read;
  const isNew = end.number > cursor.number;
  const progress = {
    provider,
    from: cursor,
    to: end,
    earlier: isNew ? [blockPair(cursor), ...cursor.earlier].slice(0, KEPT_BLOCKS) : cursor.earlier,
    readAt: end.number < head.number || isStalled(head, cursor) ? null : cursor.now,
    confirmed,
    transfers,
  };
  const moved = await direct.row(advanceDepositCursor(progress));
  return moved !== undefined && end.number < head.number ? end.number - cursor.number : null;
}

/** A stalled node may lack later blocks, with deposits. */
function isStalled({ at }: Block, { now }: Cursor): boolean {
  return now.getTime() - at.getTime() > STALLED_AFTER_MS;
}

/** A node of another chain has other blocks, too. */
async function requireItsChain({ chain, chainId }: WatchedAccount): Promise<void> {
  if ((await chain.chainId()) === chainId) return;
  throw new ProviderOutageError('TSP_ERROR', `the node is not of chain ${chainId}`);
}

function blockPair({ number, hash }: Pick<Cursor, 'number' | 'hash'>): ReadBlock {
  return [number, hash];
}

interface NextBlocks {
  readonly head: Block;
  /** The most that are read at once. */
  readonly blocks: number;
}

interface ReadBlocks {
  readonly end: Block;
  readonly transfers: readonly NewTransfer[];
  readonly confirmed: Block | null;
}

/** Reads the transfers of the blocks after the cursor; null where the chain was reorganised meanwhile. */
async function readBlocks(
  { database }: DepositWatcherDependencies,
  account: WatchedAccount,
  cursor: Cursor,
  next: NextBlocks,
): Promise<ReadBlocks | null> {
  const read = await transfersAfter(database, account, cursor.number, next);
  if (read === null) return null;
  const { end, logs } = read;
  const transfers = await awaitedTransfers(database, account, logs);
  const confirmed = await confirmedBlock(account, end);
  const stillEnd = await account.chain.block(end.number);
  return transfers === null || stillEnd?.hash !== end.hash ? null : { end, transfers, confirmed };
}

/** The transfers of the blocks up to `end`, which tells later whether its branch was left. */
interface ReadTransfers {
  readonly end: Block;
  readonly logs: readonly TokenTransfer[];
}

/** Reads the transfers after a block: of a range, or of all the newest blocks; null where one of those was reorganised away. */
async function transfersAfter(
  database: Pick<Database, 'direct'>,
  account: WatchedAccount,
  number: number,
  { head, blocks }: NextBlocks,
): Promise<ReadTransfers | null> {
  if (head.number === number) return { end: head, logs: [] };
  const beforeNewest = head.number - NEWEST_BLOCKS;
  // After a range, those that the chain has grown by are read with the newest: ranges would follow a fast chain without an end.
  if (beforeNewest - number <= NEWEST_BLOCKS) return await transfersOfNewest(database, account, number + 1, head);
  const toBlock = Math.min(beforeNewest, number + blocks);
  return await transfersOfRange(database, account, { fromBlock: number + 1, toBlock });
}

/** Reads transfers, from a quarter of the blocks if the node refuses so many or does not answer in time. */
async function transfersOfRange(
  database: Pick<Database, 'direct'>,
  account: WatchedAccount,
  blocks: Pick<TransferQuery, 'fromBlock' | 'toBlock'>,
): Promise<ReadTransfers> {
  const { name, chain, contracts } = account;
  const { fromBlock, toBlock } = blocks;
  const end = await requireBlock(chain, toBlock);
  // Read after the last block: on its branch, an address that is given out later is paid in a later block.
  const recipients = await recipientsOf(database, name);
  // For nodes, an empty filter selects everything. There are no addresses once their payments were purged.
  if (recipients?.length === 0) return { end, logs: [] };
  try {
    return { end, logs: await chain.transfers({ contracts, recipients, ...blocks, blockHash: null }) };
  } catch (error) {
    const isTooMuch = isRefused(error) || isTimeout(error);
    if (!isTooMuch || fromBlock === toBlock) throw error;
    const quarter = Math.floor((toBlock - fromBlock) / 4);
    return await transfersOfRange(database, account, { fromBlock, toBlock: fromBlock + quarter });
  }
}

/** Reads transfers up to the head, which was read before, block by block. */
async function transfersOfNewest(
  database: Pick<Database, 'direct'>,
  { name, chain, contracts }: WatchedAccount,
  fromBlock: number,
  head: Block,
): Promise<ReadTransfers | null> {
  const recipients = await recipientsOf(database, name);
  if (recipients?.length === 0) return { end: head, logs: [] };
  const logs: TokenTransfer[] = [];
  for (let number = fromBlock; number <= head.number; number += 1) {
    const block = number === head.number ? head : await requireBlock(chain, number);
    const transfers = await transfersOfBlock(chain, { contracts, recipients }, block);
    if (transfers === null) return null;
    logs.push(...transfers);
  }
  return { end: head, logs };
}

/** Null if the block was reorganised away. */
async function transfersOfBlock(
  chain: EvmChain,
  filter: Pick<TransferQuery, 'contracts' | 'recipients'>,
  { number, hash }: Block,
): Promise<readonly TokenTransfer[] | null> {
  try {
    return await chain.transfers({ ...filter, fromBlock: number, toBlock: number, blockHash: hash });
  } catch (error) {
    const isReorganised = isRefused(error) && (await chain.block(number))?.hash !== hash;
    if (isReorganised) return null;
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ProviderOutageError && error.code === 'TSP_ERROR';
}

function isTimeout(error: unknown): boolean {
  return error instanceof ProviderOutageError && error.code === 'TSP_TIMEOUT';
}

/** A block that the chain has. */
async function requireBlock(chain: EvmChain, number: number): Promise<Block> {
  const block = await chain.block(number);
  if (block !== null) return block;
  throw new ProviderOutageError(
    'TSP_UNAVAILABLE',
    'the node does not have a block: it is behind, or keeps no old ones',
  );
}

async function recipientsOf({ direct }: Pick<Database, 'direct'>, provider: string): Promise<string[] | null> {
  const addresses = await direct.rows(selectDepositAddresses(provider, MAXIMUM_FILTER + 1));
  return addresses.length > MAXIMUM_FILTER ? null : addresses.map(({ address }) => address);
}

/** The transfers that a deposit waits for, with the time of their block; null where the chain no longer has such a block. */
async function awaitedTransfers(
  { direct }: Pick<Database, 'direct'>,
  { name, chain }: WatchedAccount,
  logs: readonly TokenTransfer[],
): Promise<readonly NewTransfer[] | null> {
  if (logs.length === 0) return [];
  const pairs = logs.map(({ recipient, contract }) => ({ recipient, contract }));
  const awaited = await direct.rows(selectAwaited(name, pairs));
  const blocks = new Map<string, Block>();
  const transfers: NewTransfer[] = [];
  for (const log of logs) {
    const deposit = awaited.find(({ address, contract }) => address === log.recipient && contract === log.contract);
    if (deposit === undefined) continue;
    const block = blocks.get(log.blockHash) ?? (await chain.block(log.blockNumber));
    if (block?.hash !== log.blockHash) return null;
    blocks.set(block.hash, block);
    const { transactionHash, logIndex, blockNumber, blockHash } = log;
    const amount = String(log.amount);
    const blockAt = block.at.toISOString();
    transfers.push({
      attemptId: deposit.attemptId,
      transactionHash,
      logIndex,
      blockNumber,
      blockHash,
      blockAt,
      amount,
    });
  }
  return transfers;
}

/** The newest block whose transfers count: enough blocks follow it and, where that is required, it is final. */
async function confirmedBlock(
  { chain, confirmations, requireFinality }: WatchedAccount,
  end: Block,
): Promise<Block | null> {
  const final = requireFinality ? (await chain.finalized()).number : end.number;
  const number = Math.min(end.number - confirmations, final);
  return number < 0 ? null : await chain.block(number);
}

/**
 * Goes back to the newest block that was read and that the chain still has. Transfers that outcomes have covered are only
 * reported.
 */
async function rollBack(
  dependencies: DepositWatcherDependencies,
  account: WatchedAccount,
  cursor: Cursor,
): Promise<void> {
  const { direct } = dependencies.database;
  const { name: provider } = account;
  const { to, earlier } = await commonBlock(account.chain, cursor);
  const rollback = { provider, from: cursor, to, earlier };
  const reported = await reportReorganizedTransfers(dependencies, rollback);
  dependencies.logger.warn({ provider, fromBlock: cursor.number, toBlock: to.number }, 'a chain was reorganised');
  await direct.rowsLocked(lockDepositCursor(provider), rollBackDeposits({ ...rollback, reported }));
}

async function commonBlock(
  chain: EvmChain,
  { number, earlier }: Cursor,
): Promise<{ readonly to: Pick<Block, 'number' | 'hash'>; readonly earlier: readonly ReadBlock[] }> {
  for (const [place, [earlierNumber, hash]] of earlier.entries()) {
    const block = await requireBlock(chain, earlierNumber);
    if (block.hash === hash) return { to: block, earlier: earlier.slice(place + 1) };
  }
  const oldest = earlier.at(-1)?.[0] ?? number;
  return { to: await requireBlock(chain, Math.max(0, oldest - KEPT_BLOCKS)), earlier: [] };
}

type SettledTransfer = RowOf<ReturnType<typeof selectSettledTransfers>>;

/**
 * Reports every transfer that was settled, before the rollback deletes it; one that cannot be reported holds the rollback up. Such
 * transfers are normally few: those of the blocks that the chain has left.
 */
async function reportReorganizedTransfers(
  dependencies: DepositWatcherDependencies,
  rollback: Omit<DepositRollback, 'reported'>,
): Promise<readonly SettledTransfer[]> {
  const settled = await dependencies.database.direct.rows(selectSettledTransfers(rollback));
  for (const transfer of settled) await reportReorganized(dependencies, rollback.provider, transfer);
  return settled;
}

async function reportReorganized(
  { database, logger }: DepositWatcherDependencies,
  provider: string,
  transfer: SettledTransfer,
): Promise<void> {
  const { attemptId, paymentIntentId, transactionHash, blockHash, blockNumber, asset, decimals, status } = transfer;
  const amount = decimalUnits(BigInt(transfer.amount), decimals);
  const details = { attemptId, transactionHash, blockNumber, blockHash, asset, amount, depositStatus: status };
  const summary = `${provider}: a reorganisation took back a deposit of ${amount} ${asset} that was ${status}; nothing was changed`;
  const step: PaymentStep = { timeline: [{ kind: 'provider_event', summary, details }] };
  const stepId = `deposit ${attemptId} lost ${transactionHash} ${blockHash}`;
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), { paymentIntentId, step, stepId, at });
  const fields = { alert: DEPOSIT_REORGANIZED, provider, paymentIntentId, ...details };
  logger.error(fields, 'a chain has taken back a deposit after its outcome was reported');
}

async function settle({ database, logger }: DepositWatcherDependencies, row: DueDeposit): Promise<void> {
  const record = depositRecordOf(row);
  const settlement = settleDeposit(record);
  if (settlement === null) return;
  const { deposit, kind, after, transfers, outcome } = settlement;
  const { attemptId, paymentIntentId, provider } = deposit;
  // An attempt has one stray charge, which its reversal may have ended with the amount that had arrived by then.
  const isMoreThanStray = kind === 'stray' && (outcome === null || deposit.stray > 0n);
  if (kind === 'surplus' || isMoreThanStray) {
    const fields = { alert: DEPOSIT_SURPLUS, provider, attemptId, paymentIntentId, ...detailsOf(deposit, transfers) };
    logger.warn(fields, 'more tokens arrived than a payment asked for');
  }
  const eventId = `${attemptId}:${kind}:${after.settled}`;
  const report = outcome === null ? null : { provider, eventId, attemptId, outcome };
  const entry = timelineEntryOf(settlement);
  const write = { settlement, readTo: record.readTo, report, entry, stepId: `deposit ${eventId}` };
  await database.direct.rowsLocked(lockIntent(paymentIntentId), settleDepositOf(write));
}

/** The settlement as the payment's timeline shows it, with all amounts and transactions. */
function timelineEntryOf({ deposit, kind, after, transfers }: DepositSettlement): TimelineEntry | null {
  if (kind === 'paid' || kind === 'nothing_new') return null;
  const { asset, decimals, expected, provider } = deposit;
  const surplus = after.settled - expected;
  const amount = (units: bigint): string => `${decimalUnits(units, decimals)} ${asset}`;
  const summary = {
    credited: `${amount(after.settled)} of ${amount(expected)} arrived in time`,
    underpaid: `only ${amount(after.settled)} of ${amount(expected)} arrived in time`,
    expired: `nothing of ${amount(expected)} arrived in time`,
    surplus: `${amount(after.settled - deposit.settled)} more arrived than was asked for`,
    stray: `${amount(after.settled - deposit.settled)} arrived after the deposit had ended`,
  }[kind];
  const hasSurplus = after.status === 'credited' && surplus > 0n;
  return {
    kind: 'provider_event',
    summary: `${provider}: ${summary}`,
    details: {
      ...detailsOf(deposit, transfers),
      ...(hasSurplus ? { surplusAmount: decimalUnits(surplus, decimals) } : {}),
    },
  };
}

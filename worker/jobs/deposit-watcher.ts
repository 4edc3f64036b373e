import { MINUTE_MS } from '../../domain/time.ts';
import {
  advanceDepositCursor,
  type NewTransfer,
  type ReadBlock,
  selectDepositCursor,
} from '../../prisma/queries/deposit.ts';
import { type Block, requireBlock, untilAborted } from '../../providers/evm/chain.ts';
import type { WatchedAccount } from '../../providers/evm/evm-accounts.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import { type DepositCursor, KEPT_BLOCKS, rollBack } from './deposit-rollback.ts';
import { type DepositDependencies, settleDueDeposits } from './deposit-settlement.ts';
import { awaitedTransfers, type NextBlocks, transfersAfter } from './deposit-transfers.ts';

/** Blocks that are read at once. */
const MAXIMUM_BLOCKS = 100;
/** If the newest block is older than this, the chain or its node has stalled. */
const STALLED_AFTER_MS = 5 * MINUTE_MS;

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
  dependencies: DepositDependencies,
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

/**
 * Reads the next blocks.
 * @param blocks the most that are read at once
 * @returns how many blocks this read covered, or null if there are no more
 */
async function readOn(
  dependencies: DepositDependencies,
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
function isStalled({ at }: Block, { now }: DepositCursor): boolean {
  return now.getTime() - at.getTime() > STALLED_AFTER_MS;
}

/** A node of another chain has other blocks, too. */
async function requireItsChain({ chain, chainId }: WatchedAccount): Promise<void> {
  if ((await chain.chainId()) === chainId) return;
  throw new ProviderOutageError('TSP_ERROR', `the node is not of chain ${chainId}`);
}

function blockPair({ number, hash }: Pick<DepositCursor, 'number' | 'hash'>): ReadBlock {
  return [number, hash];
}

interface ReadBlocks {
  readonly end: Block;
  readonly transfers: readonly NewTransfer[];
  readonly confirmed: Block | null;
}

/** Reads the transfers of the blocks after the cursor; null where the chain was reorganised meanwhile. */
async function readBlocks(
  { database }: DepositDependencies,
  account: WatchedAccount,
  cursor: DepositCursor,
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

/** The newest block whose transfers count: enough blocks follow it and, where that is required, it is final. */
async function confirmedBlock(
  { chain, confirmations, requireFinality }: WatchedAccount,
  end: Block,
): Promise<Block | null> {
  const final = requireFinality ? (await chain.finalized()).number : end.number;
  const number = Math.min(end.number - confirmations, final);
  return number < 0 ? null : await chain.block(number);
}

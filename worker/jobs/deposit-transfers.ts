import type { Database } from '../../prisma/connection/client.ts';
import { type NewTransfer, selectAwaited, selectDepositAddresses } from '../../prisma/queries/deposit.ts';
import {
  type Block,
  type EvmChain,
  requireBlock,
  type TokenTransfer,
  type TransferQuery,
} from '../../providers/evm/chain.ts';
import type { WatchedAccount } from '../../providers/evm/evm-accounts.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';

/** The newest blocks are read one by one, by their hash: one node may lack a block that another one has. */
const NEWEST_BLOCKS = 32;
/** Beyond this number of addresses all transfers of the tokens are read: nodes limit the length of a filter. */
const MAXIMUM_FILTER = 500;

export interface NextBlocks {
  readonly head: Block;
  /** The most that are read at once. */
  readonly blocks: number;
}

/** The transfers of the blocks up to `end`, which tells later whether its branch was left. */
interface ReadTransfers {
  readonly end: Block;
  readonly logs: readonly TokenTransfer[];
}

/** Reads the transfers after a block: of a range, or of all the newest blocks; null where one of those was reorganised away. */
export async function transfersAfter(
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

async function recipientsOf({ direct }: Pick<Database, 'direct'>, provider: string): Promise<string[] | null> {
  const addresses = await direct.rows(selectDepositAddresses(provider, MAXIMUM_FILTER + 1));
  return addresses.length > MAXIMUM_FILTER ? null : addresses.map(({ address }) => address);
}

/** The transfers that a deposit waits for, with the time of their block; null where the chain no longer has such a block. */
export async function awaitedTransfers(
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

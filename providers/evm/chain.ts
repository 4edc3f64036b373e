import type * as Viem from 'viem';
import { SECOND_MS } from '../../domain/time.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import type { CheckedFetch } from '../provider-kind.ts';
import type { PriceFeed } from './credentials.ts';
import type { Price } from './quote.ts';

type Hex = `0x${string}`;

/** A block of the chain. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly at: Date;
}

/** An event `Transfer` of a token. */
export interface TokenTransfer {
  readonly contract: string;
  /** `0x…`, lower case. */
  readonly recipient: string;
  /** In the token's smallest unit, more than 0. */
  readonly amount: bigint;
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: string;
}

export interface TransferQuery {
  /** Lower case. */
  readonly contracts: readonly string[];
  /** Null for all. */
  readonly recipients: readonly string[] | null;
  readonly fromBlock: number;
  readonly toBlock: number;
  /**
   * The hash of the block, if the query is for one block: a node that lacks it refuses. Null for a query by numbers: a node may leave
   * out the transfers of blocks that it does not have yet.
   */
  readonly blockHash: string | null;
}

/**
 * A chain as one node sees it.
 * @throws ProviderOutageError in every call, where the node gives no usable answer
 */
export interface EvmChain {
  chainId(): Promise<number>;
  head(): Promise<Block>;
  /** The newest block that can no longer be reorganised. */
  finalized(): Promise<Block>;
  /** Null where the chain has no such block. */
  block(number: number): Promise<Block | null>;
  /** Transfers in these blocks. The answer may be of several branches while the chain is reorganised. */
  transfers(query: TransferQuery): Promise<readonly TokenTransfer[]>;
  /** Whether there is a contract at an address. */
  hasCode(contract: string): Promise<boolean>;
  decimals(contract: string): Promise<number>;
  /** The price of a feed. @throws ProviderOutageError also where it is too old, or is no price */
  price(feed: PriceFeed): Promise<Price>;
}

const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const DECIMALS = 'function decimals() view returns (uint8)';
const LATEST_ROUND =
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)';

/** Clocks of nodes and of this machine differ by less. */
const CLOCK_DIFFERENCE_MS = 60 * SECOND_MS;

/** Far more than the transfers of many blocks take; after a longer answer, fewer blocks are asked for. */
const MAXIMUM_ANSWER_BYTES = 4 * 1024 * 1024;

export interface NodeAccess {
  readonly rpcUrl: string;
  /** The longest wait for one answer. */
  readonly timeoutMs: number;
  /** What calls the node; `fetch` where it is absent. */
  readonly fetch?: CheckedFetch | undefined;
}

export function createEvmChain(access: NodeAccess): EvmChain {
  let opened: Promise<Node> | undefined;
  /** Messages of viem contain the node's address, which may hold an API key: none is passed on. */
  const ask = async <Answer>(call: (node: Node) => Promise<Answer>): Promise<Answer> => {
    const node = await (opened ??= openNode(access));
    try {
      return await call(node);
    } catch (error) {
      throw outageOf(error, node.viem);
    }
  };
  return {
    // `getChainId` would join a call that is under way, and would wait with it for a lost reply.
    chainId: () => ask(async ({ client }) => Number(await client.request({ method: 'eth_chainId' }))),
    head: () => ask(async ({ client }) => blockOf(await client.getBlock({ blockTag: 'latest' }))),
    finalized: () => ask(async ({ client }) => blockOf(await client.getBlock({ blockTag: 'finalized' }))),
    block: (number) =>
      ask(async ({ client, viem }) => {
        try {
          return blockOf(await client.getBlock({ blockNumber: BigInt(number) }));
        } catch (error) {
          if (error instanceof viem.BlockNotFoundError) return null;
          throw error;
        }
      }),
    transfers: (query) => ask((node) => readTransfers(node, query)),
    hasCode: (contract) =>
      ask(async ({ client }) => ((await client.getCode({ address: contract as Hex })) ?? '0x') !== '0x'),
    decimals: (contract) =>
      ask(({ client, viem }) =>
        client.readContract({ address: contract as Hex, abi: viem.parseAbi([DECIMALS]), functionName: 'decimals' }),
      ),
    price: (feed) => ask((node) => readPrice(node, feed)),
  };
}

/** A chain whose calls fail once one of the signals is aborted; calls that are under way are still awaited. */
export function untilAborted(chain: EvmChain, ...signals: readonly AbortSignal[]): EvmChain {
  // Not `AbortSignal.any`, which a signal that lives as long as the process would remember for ever.
  const check = (): void => {
    if (signals.some(({ aborted }) => aborted))
      throw new ProviderOutageError('TSP_TIMEOUT', 'the chain was not read in time');
  };
  const checked =
    <Parameters extends readonly unknown[], Answer>(call: (...parameters: Parameters) => Promise<Answer>) =>
    async (...parameters: Parameters): Promise<Answer> => {
      check();
      return await call(...parameters);
    };
  return {
    chainId: checked(chain.chainId),
    head: checked(chain.head),
    finalized: checked(chain.finalized),
    block: checked(chain.block),
    transfers: checked(chain.transfers),
    hasCode: checked(chain.hasCode),
    decimals: checked(chain.decimals),
    price: checked(chain.price),
  };
}

/** A block that the chain has. */
export async function requireBlock(chain: EvmChain, number: number): Promise<Block> {
  const block = await chain.block(number);
  if (block !== null) return block;
  throw new ProviderOutageError(
    'TSP_UNAVAILABLE',
    'the node does not have a block: it is behind, or keeps no old ones',
  );
}

/** A client of a node, and the library, which is loaded late: it takes 0.3 s, and most installations have no such account. */
interface Node {
  readonly viem: typeof Viem;
  readonly client: Viem.PublicClient;
}

async function openNode({ rpcUrl, timeoutMs, fetch: fetchFn }: NodeAccess): Promise<Node> {
  const viem = await import('viem');
  const transport = viem.http(rpcUrl, {
    timeout: timeoutMs,
    retryCount: 0,
    fetchOptions: { redirect: 'error' },
    maxResponseBodySize: MAXIMUM_ANSWER_BYTES,
    ...(fetchFn === undefined ? {} : { fetchFn }),
  });
  // A contract could otherwise name any address to be called (EIP-3668).
  return { viem, client: viem.createPublicClient({ cacheTime: 0, ccipRead: false, transport }) };
}

async function readTransfers(
  { client, viem }: Node,
  { contracts, recipients, fromBlock, toBlock, blockHash }: TransferQuery,
): Promise<readonly TokenTransfer[]> {
  const logs = await client.getLogs({
    address: contracts as Hex[],
    event: viem.parseAbiItem(TRANSFER),
    ...(recipients === null ? {} : { args: { to: recipients as Hex[] } }),
    ...(blockHash === null
      ? { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }
      : { blockHash: blockHash as Hex }),
    strict: true,
  });
  // Anybody can make a transfer of nothing. A removed log is of a block that the chain has left.
  return logs
    .filter(({ args, removed }) => args.value > 0n && !removed)
    .map(({ address, args, transactionHash, logIndex, blockNumber, blockHash }) => ({
      contract: address.toLowerCase(),
      recipient: args.to.toLowerCase(),
      amount: args.value,
      transactionHash: usable(isHash(transactionHash), transactionHash),
      logIndex: usable(Number.isInteger(logIndex) && logIndex >= 0 && logIndex <= MAXIMUM_INDEX, logIndex),
      blockNumber: usable(blockNumber >= fromBlock && blockNumber <= toBlock, Number(blockNumber)),
      blockHash: usable(isHash(blockHash), blockHash),
    }));
}

const MAXIMUM_INDEX = 2 ** 31 - 1;

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}

/** What a node says is stored, so it must have the form and size that chains give it. */
function usable<Value>(isUsable: boolean, value: Value): Value {
  if (!isUsable) throw new ProviderOutageError('TSP_ERROR', "the node's answer cannot be used");
  return value;
}

async function readPrice({ client, viem }: Node, { address, maximumAgeSeconds }: PriceFeed): Promise<Price> {
  const feed = { address: address as Hex, abi: viem.parseAbi([DECIMALS, LATEST_ROUND]) };
  const reads = [
    client.readContract({ ...feed, functionName: 'decimals' }),
    client.readContract({ ...feed, functionName: 'latestRoundData' }),
  ] as const;
  await Promise.allSettled(reads);
  const [decimals, [, value, , updatedAt]] = await Promise.all(reads);
  const ageMs = Date.now() - Number(updatedAt) * SECOND_MS;
  if (value <= 0n) throw new ProviderOutageError('TSP_ERROR', 'the price feed gives no price');
  if (ageMs > maximumAgeSeconds * SECOND_MS || ageMs < -CLOCK_DIFFERENCE_MS) {
    throw new ProviderOutageError('TSP_UNAVAILABLE', 'the price is too old');
  }
  return { value, decimals };
}

interface AnsweredBlock {
  readonly number: bigint | null;
  readonly hash: string | null;
  readonly timestamp: bigint;
}

function blockOf({ number, hash, timestamp }: AnsweredBlock): Block {
  if (number === null || hash === null) throw new ProviderOutageError('TSP_ERROR', 'the node answered a pending block');
  return {
    number: usable(number >= 0n && number <= Number.MAX_SAFE_INTEGER, Number(number)),
    hash: usable(isHash(hash), hash),
    at: new Date(usable(timestamp >= 0n && timestamp <= LATEST_SECONDS, Number(timestamp)) * SECOND_MS),
  };
}

/** The end of the year 9999. */
const LATEST_SECONDS = 253_402_300_799;

function outageOf(error: unknown, { BaseError, HttpRequestError, TimeoutError }: typeof Viem): ProviderOutageError {
  if (error instanceof ProviderOutageError) return error;
  // The error of a call to a contract has the failed HTTP request as its cause.
  const isCause = (each: unknown): boolean => each instanceof TimeoutError || each instanceof HttpRequestError;
  const cause = error instanceof BaseError ? (error.walk(isCause) ?? error) : error;
  // With fewer blocks, the answer would be the same.
  if (error instanceof BaseError && USED_UP.test(error.details)) {
    return new ProviderOutageError('TSP_UNAVAILABLE', 'the node takes no more requests for now');
  }
  if (cause instanceof TimeoutError) return new ProviderOutageError('TSP_TIMEOUT', 'the node gave no answer in time');
  if (cause instanceof HttpRequestError && (cause.status === 401 || cause.status === 403)) {
    return new CredentialsRefusedError(`the node refuses the key in its address (status ${cause.status})`);
  }
  if (cause instanceof HttpRequestError && !isRefusal(cause.status)) {
    const reason = cause.status ?? codeOf(cause.cause) ?? 'no connection';
    return new ProviderOutageError('TSP_UNAVAILABLE', `the node cannot be asked: ${reason}`);
  }
  const name = cause instanceof Error ? cause.name : 'no further reason';
  return new ProviderOutageError('TSP_ERROR', `the node's answer cannot be used: ${name}`);
}

/** What nodes write when their user has made too many requests, in a second or in a day. They have no code of their own for it. */
const USED_UP = /request count|request rate|rate limit|too many requests|quota|compute units|capacity limit/i;

/** The code of a connection's error, such as ENOTFOUND: unlike the message, it does not contain the node's address. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** Nodes also use such a status to refuse a request that asks for too much. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

const TOO_MANY_REQUESTS = 429;

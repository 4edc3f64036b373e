import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import solc from 'solc';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import type { EvmCredentials } from '../../providers/evm/credentials.ts';
import { timeStart } from './test-times.ts';

/** Of a wallet that everybody knows: `test test test … junk`, account `m/44'/60'/0'`. */
export const TEST_XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

/** The account of that wallet that pays for everything on the chain. */
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const CONTRACTS = `
  pragma solidity ^0.8.20;
  import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
  contract Token is ERC20("Test token", "TEST") {
    function decimals() public pure override returns (uint8) { return 6; }
    function mint(address to, uint256 amount) external { _mint(to, amount); }
    function mintTwice(address to, uint256 amount) external { _mint(to, amount); _mint(to, amount); }
  }
  contract Feed {
    int256 answer;
    uint256 updatedAt;
    function decimals() external pure returns (uint8) { return 8; }
    function set(int256 answer_, uint256 updatedAt_) external { answer = answer_; updatedAt = updatedAt_; }
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
      return (1, answer, updatedAt, updatedAt, 1);
    }
  }`;

interface Compiled {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** By default anvil keeps 500 states in memory. A reorganisation to a block without its state loses the contracts. */
const ANVIL_OPTIONS = ['--prune-history', '20000', '--slots-in-an-epoch', '1', '--no-cors'];

/** A chain of its own: two tokens that look the same, and price feeds of the token and of EUR. */
export interface TestChain {
  readonly url: string;
  readonly token: Hex;
  readonly lookalike: Hex;
  readonly tokenFeed: Hex;
  readonly euroFeed: Hex;
  readonly credentials: EvmCredentials;
  /** Mints tokens to an address, in a block of its own. @returns the transaction's hash */
  mint(to: string, units: bigint, token?: Hex): Promise<string>;
  /** Two transfers in one transaction. */
  mintTwice(to: string, units: bigint): Promise<string>;
  /** What an address has of the token. */
  balanceOf(address: string): Promise<bigint>;
  /** Sets a price of 8 digits after the point. */
  setPrice(feed: Hex, value: bigint, at?: Date): Promise<void>;
  mine(blocks: number): Promise<void>;
  /**
   * Puts the next block that much after the present, and after the latest block. The time of the chain itself may fall behind,
   * because each revert sets it back, or run ahead, because each block is a second later.
   */
  pass(seconds: number): Promise<void>;
  rpc<Answer>(method: string, ...params: readonly unknown[]): Promise<Answer>;
  close(): Promise<void>;
}

export function startTestChain(): Promise<TestChain> {
  return timeStart('chain', startChain);
}

async function startChain(): Promise<TestChain> {
  const { Token, Feed } = compile();
  const node = spawn(anvil(), [...ANVIL_OPTIONS, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = (): void => void node.kill('SIGKILL');
  process.once('exit', kill);
  const url = await addressOf(node.stdout);
  const rpc = createRpc(url);
  const send = (transaction: { readonly to?: Hex; readonly data: Hex }): Promise<Receipt> =>
    rpc<Receipt>('eth_sendTransactionSync', { from: SENDER, ...transaction });
  const deploy = async ({ abi, evm }: Compiled): Promise<Hex> =>
    (await send({ data: encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}` }) })).contractAddress;
  const call = async (to: Hex, { abi }: Compiled, functionName: string, args: readonly unknown[]): Promise<string> =>
    (await send({ to, data: encodeFunctionData({ abi, functionName, args }) })).transactionHash;
  const setPrice = async (feed: Hex, value: bigint, at = new Date()): Promise<void> =>
    void (await call(feed, Feed, 'set', [value, BigInt(Math.floor(at.getTime() / 1_000))]));
  const token = await deploy(Token);
  const lookalike = await deploy(Token);
  const tokenFeed = await deploy(Feed);
  const euroFeed = await deploy(Feed);
  await setPrice(tokenFeed, 100_000_000n);
  await setPrice(euroFeed, 110_000_000n);
  return {
    url,
    token,
    lookalike,
    tokenFeed,
    euroFeed,
    credentials: credentialsOf({ url, token, tokenFeed, euroFeed }),
    mint: (to, units, contract = token) => call(contract, Token, 'mint', [to, units]),
    mintTwice: (to, units) => call(token, Token, 'mintTwice', [to, units]),
    balanceOf: async (address) =>
      BigInt(
        await rpc<string>('eth_call', {
          to: token,
          data: encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [address] }),
        }),
      ),
    setPrice,
    mine: async (blocks) => void (await rpc('anvil_mine', blocks)),
    pass: async (seconds) => {
      const latest = await rpc<{ readonly timestamp: string }>('eth_getBlockByNumber', 'latest', false);
      const presentSeconds = Math.max(Math.ceil(Date.now() / 1_000), Number(latest.timestamp));
      await rpc('evm_setNextBlockTimestamp', presentSeconds + seconds);
      await rpc('anvil_mine', 1);
    },
    rpc,
    async close() {
      process.off('exit', kill);
      const exited = once(node, 'exit');
      kill();
      await exited;
    },
  };
}

/** A quote holds for 20 minutes, and a deposit counts after two blocks. */
function credentialsOf({
  url,
  token,
  tokenFeed,
  euroFeed,
}: Pick<TestChain, 'url' | 'token' | 'tokenFeed' | 'euroFeed'>): EvmCredentials {
  return {
    xpub: TEST_XPUB,
    rpcUrl: url,
    chainId: 31_337,
    network: 'ethereum',
    confirmations: 2,
    requireFinality: false,
    quoteSeconds: 1_200,
    tokens: [
      { asset: 'USDC', contract: token, decimals: 6, priceFeed: { address: tokenFeed, maximumAgeSeconds: 3_600 } },
    ],
    currencies: { EUR: { address: euroFeed, maximumAgeSeconds: 3_600 } },
  };
}

function createRpc(url: string): TestChain['rpc'] {
  return async <Answer>(method: string, ...params: readonly unknown[]): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const { result, error } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Reply<Answer>;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

interface Reply<Answer> {
  readonly result: Answer;
  readonly error?: { readonly message: string };
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly contractAddress: Hex;
}

/** The program, which lies in a package for this platform. */
function anvil(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const folder = createRequire(import.meta.url).resolve(
    `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
  );
  return path.join(path.dirname(folder), 'bin', 'anvil');
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    output.resume();
    return `http://${address}`;
  }
  throw new Error('anvil has ended');
}

let compiled: Readonly<Record<'Token' | 'Feed', Compiled>> | undefined;

/** Takes 1 s, so the result is kept. */
function compile(): Readonly<Record<'Token' | 'Feed', Compiled>> {
  const input = {
    language: 'Solidity',
    sources: { 'Test.sol': { content: CONTRACTS } },
    settings: { outputSelection: { 'Test.sol': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const readImport = (file: string) => ({ contents: readFileSync(path.resolve('node_modules', file), 'utf8') });
  compiled ??= JSON.parse(String(solc.compile(JSON.stringify(input), { import: readImport }))).contracts['Test.sol'];
  if (compiled === undefined) throw new Error('the contracts were not compiled');
  return compiled;
}

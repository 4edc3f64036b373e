import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { encodeErrorResult, parseAbi } from 'viem';
import { createEvmChain, untilAborted } from '../../../../providers/evm/chain.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { closeServer, listenLocally } from '../../../support/local-server.ts';

const CONTRACT = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'12'.repeat(32)}`;
const BLOCK = { number: '0x1', hash: HASH, timestamp: '0x5f5e100', transactions: [] };

/** A node that answers each method with what it is given for it. */
type Answers = Readonly<Record<string, unknown>>;

describe('a node that gives answers no chain could give', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await closeServer(server);
  });

  const chainOf = async (answers: Answers) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { id, method } = JSON.parse(text === '' ? '{}' : text) as { id?: number; method?: string };
        asked.push(method ?? `${request.method} ${request.url}`);
        const answer = answers[method ?? ''] ?? { result: null };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    servers.push(server);
    const url = await listenLocally(server);
    return { url, asked, chain: createEvmChain({ rpcUrl: url, timeoutMs: 5_000 }) };
  };
  const unusable = { name: 'ProviderOutageError', code: 'TSP_ERROR' };

  it('cannot make the engine call another address, which a contract may name', async () => {
    const answers: Record<string, unknown> = {};
    const { chain, url, asked } = await chainOf(answers);
    const abi = parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra)',
    ]);
    const elsewhere = [`${url}/{sender}/{data}.json`];
    const args = [CONTRACT, elsewhere, '0x', '0x12345678', '0x'] as const;
    const data = encodeErrorResult({ abi, errorName: 'OffchainLookup', args: args as never });
    answers['eth_call'] = { error: { code: 3, message: 'execution reverted', data } };
    await assert.rejects(chain.decimals(CONTRACT), unusable);
    assert.deepEqual(asked, ['eth_call']);
  });

  it('cannot make the engine accept a malformed block', async () => {
    const wrong = [
      { ...BLOCK, hash: 'x'.repeat(1_000) },
      { ...BLOCK, hash: [HASH] },
      { ...BLOCK, number: `0x${'f'.repeat(40)}` },
      { ...BLOCK, timestamp: `0x${'f'.repeat(40)}` },
      { number: '0x1', hash: HASH },
    ];
    for (const result of wrong) {
      const { chain } = await chainOf({ eth_getBlockByNumber: { result } });
      await assert.rejects(chain.block(1), unusable, JSON.stringify(result));
    }
    const { chain } = await chainOf({ eth_getBlockByNumber: { result: BLOCK } });
    assert.equal((await chain.block(1))?.number, 1);
  });

  it('cannot make the engine accept a transfer outside the requested blocks', async () => {
    const log = {
      address: CONTRACT,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${'00'.repeat(32)}`,
        `0x${'00'.repeat(12)}${'cd'.repeat(20)}`,
      ],
      data: `0x${'00'.repeat(31)}07`,
      blockNumber: '0x5',
      blockHash: HASH,
      transactionHash: HASH,
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    };
    const read = async (changes: object) => {
      const { chain } = await chainOf({ eth_getLogs: { result: [{ ...log, ...changes }] } });
      return await chain.transfers({
        contracts: [CONTRACT],
        recipients: null,
        fromBlock: 4,
        toBlock: 6,
        blockHash: null,
      });
    };
    assert.deepEqual(
      (await read({})).map(({ amount, recipient }) => [amount, recipient]),
      [[7n, `0x${'cd'.repeat(20)}`]],
    );
    const wrong = [{ blockNumber: '0x7' }, { blockHash: 'x' }, { transactionHash: '0x' }, { logIndex: '0xffffffff' }];
    for (const changes of wrong) await assert.rejects(read(changes), unusable, JSON.stringify(changes));
  });

  it('is read up to 4 MiB, after which fewer blocks are asked for', async () => {
    const { chain } = await chainOf({ eth_chainId: { result: `0x${'0'.repeat(5 * 1024 * 1024)}1` } });
    await assert.rejects(chain.chainId(), unusable);
  });

  it('is unavailable once its user has used up the requests, rather than asked for fewer blocks', async () => {
    const query = { contracts: [CONTRACT], recipients: null, fromBlock: 1, toBlock: 9, blockHash: null };
    const refused = async (message: string) => {
      const { chain } = await chainOf({ eth_getLogs: { error: { code: -32_005, message } } });
      return chain.transfers(query).then(
        () => null,
        (error: unknown) => (error instanceof ProviderOutageError ? error.code : null),
      );
    };
    for (const message of [
      'daily request count exceeded, request rate limited',
      'Too many requests',
      'Your app has exceeded its compute units per second capacity',
    ]) {
      assert.equal(await refused(message), 'TSP_UNAVAILABLE', message);
    }
    assert.equal(await refused('query returned more than 10000 results'), 'TSP_ERROR');
  });

  it('cannot make the engine count a transfer of a block that the chain has left', async () => {
    const log = {
      address: CONTRACT,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${'0'.repeat(64)}`,
        `0x${'0'.repeat(24)}${'cd'.repeat(20)}`,
      ],
      data: `0x${'1'.padStart(64, '0')}`,
      blockNumber: '0x1',
      blockHash: HASH,
      transactionHash: HASH,
      logIndex: '0x0',
      transactionIndex: '0x0',
    };
    const query = { contracts: [CONTRACT], recipients: null, fromBlock: 1, toBlock: 1, blockHash: null };
    const { chain } = await chainOf({
      eth_getLogs: {
        result: [
          { ...log, removed: true },
          { ...log, removed: false },
        ],
      },
    });
    assert.equal((await chain.transfers(query)).length, 1);
  });

  it('is asked nothing once the time is up', async () => {
    const { chain, asked } = await chainOf({ eth_chainId: { result: '0x1' } });
    const timeUp = new AbortController();
    const limited = untilAborted(chain, timeUp.signal);
    assert.equal(await limited.chainId(), 1);
    timeUp.abort();
    await assert.rejects(limited.chainId(), { code: 'TSP_TIMEOUT' });
    assert.equal(asked.length, 1);
  });
});

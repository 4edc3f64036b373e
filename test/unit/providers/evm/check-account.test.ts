import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkAccount } from '../../../../providers/evm/check-account.ts';
import type { EvmChain } from '../../../../providers/evm/chain.ts';
import { evmCredentialsSchema, mayReplaceCredentials } from '../../../../providers/evm/credentials.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { TEST_XPUB } from '../../../support/evm-chain.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const token = (asset: string, digit: string) => ({
  asset,
  contract: address(digit),
  decimals: 6,
  priceFeed: { address: address('a'), maximumAgeSeconds: 60 },
});
const ENTERED = {
  xpub: TEST_XPUB,
  rpcUrl: 'https://node.example/key-of-the-node',
  chainId: 1,
  network: 'ethereum',
  confirmations: 2,
  tokens: [token('USDC', '1')],
  currencies: { EUR: { address: address('b'), maximumAgeSeconds: 60 } },
};
const CREDENTIALS = evmCredentialsSchema.parse(ENTERED);

const notAsked = () => Promise.reject(new Error('not asked'));
const GOOD: EvmChain = {
  chainId: async () => 1,
  hasCode: async () => true,
  decimals: async () => 6,
  price: async () => ({ value: 1n, decimals: 0 }),
  head: notAsked,
  finalized: notAsked,
  block: notAsked,
  transfers: notAsked,
};
const outage = () => Promise.reject(new ProviderOutageError('TSP_UNAVAILABLE', 'the node cannot be asked: ENOTFOUND'));

describe('the check of an account on an EVM chain', () => {
  it('finds nothing wrong where node, contracts and price feeds are as they were entered', async () => {
    assert.equal(await checkAccount(CREDENTIALS, GOOD), null);
  });

  for (const [title, changes, problem] of [
    ['another chain', { chainId: async () => 5 }, 'The node at rpcUrl is of chain 5, and not of chain 1.'],
    [
      'a node that does not answer',
      { chainId: outage },
      'The node at rpcUrl gives no usable answer: the node cannot be asked: ENOTFOUND.',
    ],
    ['no contract', { hasCode: async () => false }, 'There is no contract at the address of USDC.'],
    ['other decimals', { decimals: async () => 18 }, 'The contract of USDC has 18 decimals, and not 6.'],
    [
      'a contract that is no token',
      { decimals: outage },
      'The contract of USDC gives no usable answer: the node cannot be asked: ENOTFOUND.',
    ],
    [
      'a price feed that does not answer',
      { price: (feed) => (feed.address === address('b') ? outage() : GOOD.price(feed)) },
      'The price feed of EUR gives no usable price: the node cannot be asked: ENOTFOUND.',
    ],
  ] as const satisfies readonly (readonly [string, Partial<EvmChain>, string])[]) {
    it(`says what is wrong: ${title}`, async () => {
      assert.equal(await checkAccount(CREDENTIALS, { ...GOOD, ...changes }), problem);
    });
  }
});

describe('credentials of an account on an EVM chain', () => {
  const problemsOf = (changes: object) =>
    (evmCredentialsSchema.safeParse({ ...ENTERED, ...changes }).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

  it('refuse a private key, and say that it has leaked, without repeating it', () => {
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    for (const xpub of [xprv, xprv.replace('x', 'y'), ` ${xprv}`]) {
      const problems = problemsOf({ xpub });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /^xpub: .*extended public key.*leaked/);
      assert.ok(!problems[0]?.includes(xprv.slice(4)));
    }
  });

  it('name the member that is wrong, down to those of tokens and price feeds', () => {
    const wrong = { ...token('USDC', '1'), priceFeed: { address: 'x', maximumAgeSeconds: 0 } };
    assert.deepEqual(
      problemsOf({ tokens: [wrong] }).map((problem) => problem.split(':')[0]),
      ['tokens.0.priceFeed.address', 'tokens.0.priceFeed.maximumAgeSeconds'],
    );
    assert.match(problemsOf({ tokens: [token('USDC', '1'), token('USDT', '1')] }).join(), /^tokens: /);
    assert.match(problemsOf({ rpcUrl: 'http://node.example/secret' }).join(), /^rpcUrl: [^]*https/);
  });

  it('may be replaced by others of the same chain with the same contracts, and more', () => {
    const next = (changes: object) => evmCredentialsSchema.parse({ ...ENTERED, ...changes });
    const memberOf = (changes: object) => mayReplaceCredentials(CREDENTIALS, next(changes))?.member ?? null;
    assert.equal(memberOf({ rpcUrl: 'https://other.example', confirmations: 9, currencies: {} }), null);
    assert.equal(memberOf({ tokens: [token('USDT', '2'), token('USDC', '1')] }), null);
    assert.equal(memberOf({ chainId: 5 }), 'chainId');
    assert.equal(memberOf({ network: 'polygon' }), 'network');
    assert.equal(memberOf({ tokens: [token('USDC', '2')] }), 'tokens');
    assert.equal(memberOf({ tokens: [token('USDT', '1')] }), 'tokens');
  });
});

import { z } from 'zod';
import { CRYPTO_ASSET_CODES, CRYPTO_NETWORKS, decimalsOfAsset, isOnNetwork } from '../../domain/crypto-assets.ts';
import { isSupportedCurrency } from '../../domain/currencies.ts';
import { isLoopback } from '../../domain/ip-address.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Credential, CredentialProblem } from '../provider-kind.ts';
import { isAccountPublicKey, isPrivateKey } from './addresses.ts';

const contractAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'Expected the address of a contract, 0x and 40 hexadecimal digits; got another text.')
  .transform((address) => address.toLowerCase());

/** A price feed (Chainlink's AggregatorV3Interface) in USD. A price that is older is not used. */
const priceFeed = z.strictObject({
  address: contractAddress,
  maximumAgeSeconds: z
    .int()
    .min(1)
    .max((2 * DAY_MS) / SECOND_MS),
});

const token = z.strictObject({
  asset: z.enum(CRYPTO_ASSET_CODES),
  /** The only contract whose transfers count as this asset: others send events that look the same. */
  contract: contractAddress,
  decimals: z.int().min(0).max(36),
  priceFeed,
});

/** Far more than an account takes. */
const MAXIMUM_TOKENS = 20;
/** Every network calls blocks final far earlier. */
const MAXIMUM_CONFIRMATIONS = 1_000;
const DEFAULT_QUOTE_SECONDS = (20 * MINUTE_MS) / SECOND_MS;

const PRIVATE_KEY =
  'This is an extended private key. Give the extended public key (xpub…), and consider the private key as leaked: move what it ' +
  'holds to another wallet.';
const NO_ACCOUNT_KEY =
  "Expected the extended public key of an account of a wallet, xpub… at m/44'/60'/n'; got another text.";
const NO_CURRENCY = 'Expected the code of a supported currency, such as EUR; got another name.';
const NO_HTTPS = 'Expected an address that begins with https://, except on this machine.';

/** A message for people, which does not repeat the value. */
function saying(message: string) {
  return { message, params: { message } };
}

function ofTokens(message: string) {
  return { path: ['tokens'], ...saying(message) };
}

/** What an account on an EVM chain is made of. */
export const evmCredentialsSchema = z
  .strictObject({
    /** The extended public key of an account of a wallet, `xpub…` at `m/44'/60'/n'`. */
    xpub: z
      .string()
      .refine((key) => !isPrivateKey(key), { abort: true, ...saying(PRIVATE_KEY) })
      .refine(isAccountPublicKey, saying(NO_ACCOUNT_KEY)),
    /** Where a node answers JSON-RPC. It may hold an API key, so it is a secret. */
    rpcUrl: z.url({ protocol: /^https?$/, abort: true }).refine(isSafe, saying(NO_HTTPS)),
    chainId: z.int().min(1),
    network: z.enum(CRYPTO_NETWORKS),
    confirmations: z.int().min(0).max(MAXIMUM_CONFIRMATIONS),
    /** Whether a block must also be final (the block tag `finalized`) before it counts. */
    requireFinality: z.boolean().default(false),
    quoteSeconds: z
      .int()
      .min(MINUTE_MS / SECOND_MS)
      .max(HOUR_MS / SECOND_MS)
      .default(DEFAULT_QUOTE_SECONDS),
    tokens: z.array(token).min(1).max(MAXIMUM_TOKENS),
    /** The price feed of each currency besides USD that payments may be made in. */
    currencies: z.record(z.string().refine(isSupportedCurrency, NO_CURRENCY), priceFeed).default({}),
  })
  .refine(({ tokens }) => isUnique(tokens.map(({ asset }) => asset)), ofTokens('Expected one contract for each asset.'))
  .refine(
    ({ tokens }) => isUnique(tokens.map(({ contract }) => contract)),
    ofTokens('Expected one asset for each contract.'),
  )
  .refine(
    ({ network, tokens }) => tokens.every(({ asset }) => isOnNetwork(asset, network)),
    ofTokens('Expected assets that the network has.'),
  )
  .refine(
    ({ tokens }) => tokens.every(({ asset, decimals }) => decimals === decimalsOfAsset(asset)),
    ofTokens('Expected the decimals of each asset.'),
  );

export type EvmCredentials = z.output<typeof evmCredentialsSchema>;
export type PriceFeed = z.output<typeof priceFeed>;

/**
 * Whether credentials may replace those of an account. The wallet and the node may change: no index is given out twice, whatever
 * the wallet. The chain and the contracts may not change, because deposits may still arrive there.
 */
export function mayReplaceCredentials(earlier: EvmCredentials, next: EvmCredentials): CredentialProblem | null {
  const hasOtherChain = earlier.chainId !== next.chainId;
  if (hasOtherChain || earlier.network !== next.network) {
    const member = hasOtherChain ? 'chainId' : 'network';
    return { member, reason: 'An account stays on its chain. Make another account for another chain.' };
  }
  const isKept = earlier.tokens.every(({ asset, contract }) =>
    next.tokens.some((token) => token.asset === asset && token.contract === contract),
  );
  if (isKept) return null;
  const reason =
    'An account keeps its contracts, because deposits may still arrive there. Make another account without them.';
  return { member: 'tokens', reason };
}

/** A node's answers decide whether money has arrived, so nobody may change them on their way. */
function isSafe(rpcUrl: string): boolean {
  const { protocol, hostname } = new URL(rpcUrl);
  return protocol === 'https:' || isLoopback(hostname);
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

const TOKENS_EXAMPLE = `[
  {
    "asset": "USDC",
    "contract": "0x…",
    "decimals": 6,
    "priceFeed": { "address": "0x…", "maximumAgeSeconds": 90000 }
  }
]`;
const CURRENCIES_EXAMPLE = '{ "EUR": { "address": "0x…", "maximumAgeSeconds": 90000 } }';

/** As forms and documents show them. */
export const EVM_CREDENTIALS = {
  xpub: {
    label: 'Extended public key',
    meaning: "the extended public key of an account of your wallet, `xpub…` at `m/44'/60'/n'`; never a private key",
    isSecret: true,
  },
  rpcUrl: { label: 'Node', meaning: 'the address of a node that answers JSON-RPC, `https://…`', isSecret: true },
  chainId: {
    label: 'Chain ID',
    meaning: 'the id of the chain, a number: 1 is Ethereum, 137 is Polygon; it cannot be changed later',
    input: 'number',
  },
  network: {
    label: 'Network',
    meaning: '`ethereum` or `polygon`; it cannot be changed later',
    input: 'choice',
    choices: CRYPTO_NETWORKS,
  },
  confirmations: {
    label: 'Confirmations',
    meaning: "how many blocks must follow a deposit's own, a number",
    input: 'number',
  },
  requireFinality: {
    label: 'Wait for finality',
    meaning: '`true` if its block must also be final; otherwise `false`, or left out',
    isOptional: true,
    input: 'switch',
  },
  quoteSeconds: {
    label: 'Seconds that a quote is valid',
    meaning: 'how long a quote is valid, from 60 to 3600; 1200 if left out',
    isOptional: true,
    input: 'number',
  },
  tokens: {
    label: 'Tokens',
    meaning: 'a list of `{asset, contract, decimals, priceFeed: {address, maximumAgeSeconds}}`',
    input: 'json',
    example: TOKENS_EXAMPLE,
  },
  currencies: {
    label: 'Currencies',
    meaning: 'price feeds `{address, maximumAgeSeconds}` by currency, besides USD; may be left out',
    isOptional: true,
    input: 'json',
    example: CURRENCIES_EXAMPLE,
  },
} as const satisfies Record<keyof EvmCredentials, Credential>;

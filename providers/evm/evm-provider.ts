import { once } from 'node:events';
import { type DepositRecord, type DepositStore, detailsOf, outcomeOfDeposit, isPaid } from '../../domain/deposit.ts';
import type { Declined, InquiryOutcome } from '../../domain/provider-outcome.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { AuthorizationRequest, PaymentProvider, ProviderCapabilities } from '../payment-provider.ts';
import { ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import type { CheckedFetch, ProviderAccountSettings, ProviderDependencies, ProviderKind } from '../provider-kind.ts';
import { addressAt } from './addresses.ts';
import { type Block, createEvmChain, type EvmChain, untilAborted } from './chain.ts';
import { checkAccount } from './check-account.ts';
import { EVM_CREDENTIALS, type EvmCredentials, evmCredentialsSchema, mayReplaceCredentials } from './credentials.ts';
import { PAR, type Price, tokensFor } from './quote.ts';

const CAPABILITIES: ProviderCapabilities = {
  methods: ['crypto'],
  captureMethods: ['automatic'],
  providerTokens: false,
  partialCapture: false,
  inquiry: 'exact',
  closing: 'never',
  capturing: 'at_once',
  references: 'ours',
  requestsPerSecond: null,
};

/** What of an account's credentials decides which payments it takes. */
interface TakenByAccount extends Pick<EvmCredentials, 'network'> {
  readonly tokens: readonly Pick<Token, 'asset'>[];
  readonly currencies: Readonly<Record<string, unknown>>;
}

/** What an account offers: deposits of its tokens on its network, priced in USD and in the currencies that have a price feed. */
function evmCapabilities({ network, tokens, currencies }: TakenByAccount): ProviderCapabilities {
  const assets = tokens.map(({ asset }) => asset);
  const priced = ['USD', ...Object.keys(currencies)];
  return {
    ...CAPABILITIES,
    problemWith: ({ currency, deposited = null }) => {
      if (deposited !== null && (deposited.network !== network || !assets.includes(deposited.asset))) {
        return { reason: 'asset_not_offered', takes: `${assets.join(', ')} on ${network}` };
      }
      return priced.includes(currency) ? null : { reason: 'currency_not_offered', takes: priced.join(', ') };
    },
  };
}

/** An attempt is closed only if the chain was read so recently: a deposit that nobody has read would become a stray charge. */
const READ_RECENTLY_MS = MINUTE_MS;

/** Blocks, and their finality, take less on every network, unless the network or its node stands still. */
const LONGEST_BLOCK_MS = MINUTE_MS;
const LONGEST_FINALITY_MS = HOUR_MS;

type Token = EvmCredentials['tokens'][number];

/** Deposits of tokens on an EVM chain. The watcher of the worker reads what arrives; this adapter gives out the addresses. */
export const EVM: ProviderKind<EvmCredentials> = {
  label: 'EVM chain',
  description: 'crypto deposits to addresses of your own wallet on an EVM chain',
  schema: evmCredentialsSchema,
  credentials: EVM_CREDENTIALS,
  addressCredential: 'rpcUrl',
  capabilities: CAPABILITIES,
  capabilitiesOf: ({ network = '', tokens = '[]', currencies = '{}' }) =>
    evmCapabilities({
      network,
      tokens: JSON.parse(tokens) as EvmCredentials['tokens'],
      currencies: JSON.parse(currencies) as EvmCredentials['currencies'],
    }),
  create: createEvmProvider,
  check: (settings, signal, dependencies) =>
    checkAccount(settings.credentials, untilAborted(chainOf(settings, dependencies?.fetch), signal)),
  mayReplace: mayReplaceCredentials,
};

/** The chain of an account, read through its node. */
export function chainOf(
  { credentials, apiUrl, timeoutMs }: ProviderAccountSettings<EvmCredentials>,
  fetch?: CheckedFetch,
): EvmChain {
  return createEvmChain({ rpcUrl: apiUrl ?? credentials.rpcUrl, timeoutMs, fetch });
}

function createEvmProvider(
  settings: ProviderAccountSettings<EvmCredentials>,
  dependencies?: ProviderDependencies,
): PaymentProvider {
  const { name, credentials } = settings;
  if (dependencies === undefined) throw new Error(`${name} needs a store of deposits`);
  const { deposits } = dependencies;
  const chain = chainOf(settings, dependencies.fetch);

  const outcomeIn = async (attemptId: string): Promise<InquiryOutcome | null> => {
    const record = await deposits.find(attemptId);
    return record === null ? null : outcomeOfDeposit(record);
  };

  return {
    name,
    capabilities: evmCapabilities(credentials),

    async authorize(request, signal) {
      const known = await outcomeIn(request.attemptId);
      const token = tokenFor(credentials, request);
      if (known === null && token === undefined) return UNSUPPORTED;
      if (known === null && token !== undefined) {
        const quote = await unlessAborted(signal, () => readQuote(settings, chain, request, token));
        await giveOut(settings, deposits, request, { token, ...quote });
      }
      const outcome = known ?? (await outcomeIn(request.attemptId));
      if (outcome !== null && outcome.kind !== 'not_charged') return outcome;
      throw new ProviderOutageError('TSP_ERROR', 'the deposit was closed meanwhile');
    },

    /** If a request that is still on its way gives out an address, nobody sees it. */
    async inquire({ attemptId }, signal) {
      signal.throwIfAborted();
      return (await outcomeIn(attemptId)) ?? { kind: 'not_charged' };
    },

    async close({ attemptId }) {
      const record = await deposits.find(attemptId);
      if (record === null) return { kind: 'not_charged' };
      if (record.deposit.status !== 'open' || isPaid(record)) return outcomeOfDeposit(record);
      if (Date.now() - record.readAt.getTime() > READ_RECENTLY_MS) {
        throw new ProviderOutageError('TSP_UNAVAILABLE', 'the chain was not read recently');
      }
      await deposits.close(attemptId);
      return (await outcomeIn(attemptId)) ?? { kind: 'not_charged' };
    },

    async isProgressing(attemptId) {
      const record = await deposits.find(attemptId);
      return record !== null && isConfirming(record, credentials, Date.now());
    },

    capture: () => Promise.resolve({ kind: 'not_held' }),

    async refund({ attemptId }) {
      const record = await deposits.find(attemptId);
      const deposit = record === null ? {} : detailsOf(record.deposit, record.transfers);
      return { kind: 'refused', providerRefundId: null, details: { reason: 'refund_by_hand', ...deposit } };
    },

    inquireRefund: () => Promise.resolve({ kind: 'not_refunded' }),

    parseWebhook() {
      throw new WebhookVerificationError('a chain sends no webhooks');
    },
  };
}

/** Whether enough has arrived, its confirmations are not overdue, and the chain is being read. */
function isConfirming(
  record: DepositRecord,
  { confirmations, requireFinality }: EvmCredentials,
  nowMs: number,
): boolean {
  const { deposit, transfers, readAt } = record;
  const arrivedMs = Math.max(...transfers.map(({ at }) => at.getTime()));
  const allowedMs = confirmations * LONGEST_BLOCK_MS + (requireFinality ? LONGEST_FINALITY_MS : 0);
  const isReading = nowMs - readAt.getTime() <= READ_RECENTLY_MS;
  return deposit.status === 'open' && isPaid(record) && isReading && nowMs - arrivedMs <= allowedMs;
}

const UNSUPPORTED: Declined = {
  kind: 'declined',
  providerPaymentId: null,
  code: 'UNSUPPORTED_CURRENCY_PAIR',
  advice: 'elsewhere',
};

/** The token to deposit; undefined where the account has no such token or no price of the currency. */
function tokenFor(
  { network, tokens, currencies }: EvmCredentials,
  { method, currency }: AuthorizationRequest,
): Token | undefined {
  if (method.type !== 'crypto' || method.network !== network) return undefined;
  if (currency !== 'USD' && !Object.hasOwn(currencies, currency)) return undefined;
  return tokens.find(({ asset }) => asset === method.asset);
}

/** The terms of a new address: the newest block, and how many tokens pay the amount. */
interface Quote {
  readonly head: Block;
  readonly expected: bigint;
}

/** Contracts count in 256 bits. */
const MOST_UNITS = 2n ** 256n;

/** Reads the present prices. */
async function readQuote(
  { credentials: { chainId, currencies } }: ProviderAccountSettings<EvmCredentials>,
  chain: EvmChain,
  { amountMinor, currency }: AuthorizationRequest,
  { decimals: tokenDecimals, priceFeed }: Token,
): Promise<Quote> {
  const currencyFeed = currencies[currency];
  const reads = [
    chain.chainId(),
    chain.head(),
    chain.price(priceFeed),
    currencyFeed === undefined ? Promise.resolve<Price>(PAR) : chain.price(currencyFeed),
  ] as const;
  // If one call fails, the repeat must not add to the others.
  await Promise.allSettled(reads);
  const [answeredId, head, tokenPrice, currencyPrice] = await Promise.all(reads);
  if (answeredId !== chainId) throw new ProviderOutageError('TSP_ERROR', `the node is not of chain ${chainId}`);
  const expected = tokensFor({ amountMinor, currency, currencyPrice, tokenPrice, tokenDecimals });
  if (expected >= MOST_UNITS)
    throw new ProviderOutageError('TSP_ERROR', 'the prices give no amount that a token can have');
  return { head, expected };
}

async function giveOut(
  { name, credentials }: ProviderAccountSettings<EvmCredentials>,
  deposits: DepositStore,
  { attemptId, paymentIntentId, amountMinor, currency }: AuthorizationRequest,
  { token: { asset, contract, decimals }, head, expected }: Quote & { readonly token: Token },
): Promise<void> {
  const { xpub, network, confirmations, quoteSeconds } = credentials;
  const index = await deposits.nextIndex();
  await deposits.open(
    {
      attemptId,
      paymentIntentId,
      provider: name,
      index,
      address: await addressAt(xpub, index),
      asset,
      network,
      contract,
      decimals,
      expected,
      amountMinor,
      currency,
      confirmations,
      quoteExpiresAt: new Date(Date.now() + quoteSeconds * SECOND_MS),
    },
    head,
  );
}

/** @throws the signal's own reason when the caller gives up */
async function unlessAborted<Result>(signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const reading = read();
  await Promise.race([reading, once(signal, 'abort')]);
  signal.throwIfAborted();
  return await reading;
}

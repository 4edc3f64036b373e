import { detailsOf, type DepositStore, outcomeOfDeposit, isPaid } from '../../domain/deposit.ts';
import type { Declined, InquiryOutcome } from '../../domain/provider-outcome.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { AuthorizationRequest, PaymentProvider, ProviderAbilities } from '../payment-provider.ts';
import { ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import type { ProviderAccountSettings, ProviderDependencies, ProviderKind } from '../provider-kinds.ts';
import { addressAt } from './addresses.ts';
import { createEvmChain, type EvmChain } from './chain.ts';
import { type EvmCredentials, evmCredentialsSchema } from './credentials.ts';
import { PAR, type Price, tokensFor } from './quote.ts';

const ABILITIES: ProviderAbilities = {
  methods: ['crypto'],
  captureMethods: ['automatic'],
  providerTokens: false,
  partialCapture: false,
  inquiry: 'exact',
  closing: 'never',
  capturing: 'at_once',
};

/** An attempt is closed only if the chain was read so recently: a deposit that nobody has read would become a stray charge. */
const READ_RECENTLY_MS = MINUTE_MS;

type Token = EvmCredentials['tokens'][number];

/** Deposits of tokens on an EVM chain. The watcher of the worker reads what arrives; this adapter gives out the addresses. */
export const EVM: ProviderKind<EvmCredentials> = {
  credentials: evmCredentialsSchema,
  abilities: ABILITIES,
  create: createEvmProvider,
  async check(settings) {
    const chain = chainOf(settings);
    const { chainId, tokens, currencies } = settings.credentials;
    if ((await chain.chainId()) !== chainId) return `the node is not of chain ${chainId}`;
    for (const { asset, contract, decimals } of tokens) {
      if ((await chain.decimals(contract)) !== decimals) return `the contract of ${asset} has other decimals`;
    }
    await Promise.all([...tokens.map(({ priceFeed }) => priceFeed), ...Object.values(currencies)].map(chain.price));
    return null;
  },
};

/** The chain of an account, read through its node. */
export function chainOf({ credentials, apiUrl, timeoutMs }: ProviderAccountSettings<EvmCredentials>): EvmChain {
  return createEvmChain(apiUrl ?? credentials.rpcUrl, timeoutMs);
}

function createEvmProvider(
  settings: ProviderAccountSettings<EvmCredentials>,
  dependencies?: ProviderDependencies,
): PaymentProvider {
  const { name, credentials } = settings;
  if (dependencies === undefined) throw new Error(`${name} needs a store of deposits`);
  const { deposits } = dependencies;
  const chain = chainOf(settings);

  const outcomeIn = async (attemptId: string): Promise<InquiryOutcome | null> => {
    const record = await deposits.find(attemptId);
    return record === null ? null : outcomeOfDeposit(record);
  };

  return {
    name,
    abilities: ABILITIES,

    async authorize(request) {
      const known = await outcomeIn(request.attemptId);
      const token = tokenFor(credentials, request);
      if (known === null && token === undefined) return UNSUPPORTED;
      if (known === null && token !== undefined) await giveOut(settings, { deposits, chain }, request, token);
      const outcome = known ?? (await outcomeIn(request.attemptId));
      if (outcome !== null && outcome.kind !== 'not_charged') return outcome;
      throw new ProviderOutageError('TSP_ERROR', 'the deposit was closed meanwhile');
    },

    /** An address that is given out by a request that is still on its way is shown to nobody. */
    inquire: async ({ attemptId }) => (await outcomeIn(attemptId)) ?? { kind: 'not_charged' },

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

const UNSUPPORTED: Declined = { kind: 'declined', providerPaymentId: null, code: 'UNSUPPORTED_CURRENCY_PAIR' };

/** The token to deposit; undefined where the account has no such token or no price of the currency. */
function tokenFor(
  { network, tokens, currencies }: EvmCredentials,
  { method, currency }: AuthorizationRequest,
): Token | undefined {
  if (method.type !== 'crypto' || method.network !== network) return undefined;
  if (currency !== 'USD' && !Object.hasOwn(currencies, currency)) return undefined;
  return tokens.find(({ asset }) => asset === method.asset);
}

/** Gives out a new address at the present price. Everything is read before anything is written. */
async function giveOut(
  { name, credentials }: ProviderAccountSettings<EvmCredentials>,
  { deposits, chain }: { readonly deposits: DepositStore; readonly chain: EvmChain },
  { attemptId, paymentIntentId, amountMinor, currency }: AuthorizationRequest,
  { asset, contract, decimals, priceFeed }: Token,
): Promise<void> {
  const { xpub, network, confirmations, quoteSeconds, chainId, currencies } = credentials;
  const currencyFeed = currencies[currency];
  const [answeredId, head, tokenPrice, currencyPrice] = await Promise.all([
    chain.chainId(),
    chain.head(),
    chain.price(priceFeed),
    currencyFeed === undefined ? Promise.resolve<Price>(PAR) : chain.price(currencyFeed),
  ]);
  if (answeredId !== chainId) throw new ProviderOutageError('TSP_ERROR', `the node is not of chain ${chainId}`);
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
      expected: tokensFor({ amountMinor, currency, currencyPrice, tokenPrice, tokenDecimals: decimals }),
      amountMinor,
      currency,
      confirmations,
      quoteExpiresAt: new Date(Date.now() + quoteSeconds * SECOND_MS),
    },
    head,
  );
}

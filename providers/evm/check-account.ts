import { ProviderOutageError } from '../provider-errors.ts';
import type { EvmChain } from './chain.ts';
import type { EvmCredentials, PriceFeed } from './credentials.ts';

/**
 * Whether the node, the contracts and the price feeds of an account are what its credentials say.
 * @returns null where they are, else the first thing that is wrong, in one sentence
 */
export async function checkAccount(
  { chainId, tokens, currencies }: EvmCredentials,
  chain: EvmChain,
): Promise<string | null> {
  const ofNode = await checkNode(chain, chainId);
  if (ofNode !== null) return ofNode;
  const problems = await Promise.all([
    ...tokens.map((token) => checkToken(chain, token)),
    ...tokens.map(({ asset, priceFeed }) => checkFeed(chain, asset, priceFeed)),
    ...Object.entries(currencies).map(([currency, feed]) => checkFeed(chain, currency, feed)),
  ]);
  return problems.find((problem) => problem !== null) ?? null;
}

async function checkNode(chain: EvmChain, chainId: number): Promise<string | null> {
  return await unlessOutage('The node at rpcUrl gives no usable answer', async () => {
    const answered = await chain.chainId();
    return answered === chainId ? null : `The node at rpcUrl is of chain ${answered}, and not of chain ${chainId}.`;
  });
}

async function checkToken(
  chain: EvmChain,
  { asset, contract, decimals }: EvmCredentials['tokens'][number],
): Promise<string | null> {
  return await unlessOutage(`The contract of ${asset} gives no usable answer`, async () => {
    if (!(await chain.hasCode(contract))) return `There is no contract at the address of ${asset}.`;
    const answered = await chain.decimals(contract);
    return answered === decimals ? null : `The contract of ${asset} has ${answered} decimals, and not ${decimals}.`;
  });
}

async function checkFeed(chain: EvmChain, name: string, feed: PriceFeed): Promise<string | null> {
  return await unlessOutage(`The price feed of ${name} gives no usable price`, async () => {
    await chain.price(feed);
    return null;
  });
}

/** The node's address is one of the credentials, so an outage is a problem of these. */
async function unlessOutage(problem: string, check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ProviderOutageError) return `${problem}: ${error.message}.`;
    throw error;
  }
}

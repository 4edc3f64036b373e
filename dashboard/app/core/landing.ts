import { send } from './request.ts';
import { type Account, pathOf, type Session } from './session.ts';

export const FIRST_STEPS_PATH = '/first-steps';

/** Whether these scopes are of somebody who connects a server. */
export function connectsServers(scopes: readonly string[]): boolean {
  return scopes.includes('api-keys:write') && scopes.includes('payment-intents:read');
}

/** Where a person begins: with the first steps, as long as the sandbox has no payment and the person connects servers. */
export async function landingPath({ scopes }: Session, account: Account): Promise<string> {
  if (account.environment !== 'sandbox' || account.isSuspended || !connectsServers(scopes)) return pathOf(account);
  const listed = await send('/api/v1/payment-intents', { query: { limit: 1 }, scope: account }).catch(() => null);
  const data = (listed as { readonly data?: readonly unknown[] } | null)?.data;
  return data?.length === 0 ? `${pathOf(account)}${FIRST_STEPS_PATH}` : pathOf(account);
}

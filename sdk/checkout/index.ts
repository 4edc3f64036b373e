import { browserEnvironment } from './browser.ts';
import { openCheckout } from './checkout.ts';
import { splitClientSecret } from './client-secret.ts';
import type { Environment } from './environment.ts';
import type { Cursor } from './event-stream.ts';
import { readKeptCheckout } from './kept-checkout.ts';
import type { Checkout, CheckoutOptions } from './types.ts';
import { unusableCheckout } from './unusable-checkout.ts';

export type * from './types.ts';
export { depositCode, depositText } from './deposit-code.ts';

/** Begins a checkout. Events come from the next task on, so listeners that are added at once miss none. */
export function createCheckout({ clientSecret, baseUrl }: CheckoutOptions): Checkout {
  return checkoutOf(browserEnvironment(), clientSecret, baseUrl ?? new URL(import.meta.url).origin, null);
}

/**
 * Goes on with the checkout that the customer left for their bank: on the page that they come back to, in the same tab.
 * What has happened meanwhile is told as events. Null when none was left.
 */
export function resumeCheckout(): Checkout | null {
  const environment = browserEnvironment();
  const kept = readKeptCheckout(environment.storage);
  return kept === null ? null : checkoutOf(environment, kept.clientSecret, kept.baseUrl, kept.cursor);
}

function checkoutOf(environment: Environment, clientSecret: string, baseUrl: string, cursor: Cursor | null): Checkout {
  const credentials = splitClientSecret(clientSecret);
  if (credentials === null) return unusableCheckout(environment);
  return openCheckout(environment, { clientSecret, credentials, baseUrl: baseUrl.replace(/\/+$/, ''), cursor });
}

import { browserPlatform } from './browser.ts';
import { openCheckout } from './checkout.ts';
import { splitClientSecret } from './client-secret.ts';
import type { Platform } from './platform.ts';
import type { Cursor } from './event-stream.ts';
import { readStoredCheckout } from './stored-checkout.ts';
import type { Checkout, CheckoutOptions } from './types.ts';
import { invalidCheckout } from './invalid-checkout.ts';

export type * from './types.ts';
export { depositCode, depositText } from './deposit-code.ts';

/** Begins a checkout. Events come from the next task on, so listeners that are added at once miss none. */
export function createCheckout({ clientSecret, baseUrl }: CheckoutOptions): Checkout {
  return checkoutOf(browserPlatform(), clientSecret, baseUrl ?? new URL(import.meta.url).origin, null);
}

/**
 * Goes on with the checkout that the customer left for their bank: on the page that they come back to, in the same tab.
 * What has happened meanwhile comes as events. Null when none is stored.
 */
export function resumeCheckout(): Checkout | null {
  const platform = browserPlatform();
  const stored = readStoredCheckout(platform.storage);
  return stored === null ? null : checkoutOf(platform, stored.clientSecret, stored.baseUrl, stored.cursor);
}

function checkoutOf(platform: Platform, clientSecret: string, baseUrl: string, cursor: Cursor | null): Checkout {
  const credentials = splitClientSecret(clientSecret);
  if (credentials === null) return invalidCheckout(platform);
  return openCheckout(platform, { clientSecret, credentials, baseUrl: baseUrl.replace(/\/+$/, ''), cursor });
}

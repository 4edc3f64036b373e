import { browserPlatform } from './browser.ts';
import { type CardFields, openCardFields } from './card-fields.ts';
import { type CheckoutInput, openCheckout } from './checkout.ts';
import { splitClientSecret } from './client-secret.ts';
import type { Platform } from './platform.ts';
import { readStoredCheckout } from './stored-checkout.ts';
import type { CardFieldsOptions, Checkout, CheckoutOptions } from './types.ts';
import { invalidCheckout } from './invalid-checkout.ts';

export type * from './types.ts';
export type { CardFields } from './card-fields.ts';
export { consentText, describeError } from './languages/index.ts';
export { depositCode, depositText, upiCode } from './qr-code.ts';

/**
 * Begins a checkout, or resumes one whose page was loaded again: a payment that is under way or has ended comes as an
 * event. Events come from the next task on, so listeners that are added at once miss none.
 */
export function createCheckout({ clientSecret, baseUrl, storage = 'tab' }: CheckoutOptions): Checkout {
  const address = baseUrl ?? new URL(import.meta.url).origin;
  const rest = { clientSecret, baseUrl: address, cursor: null, storesSecret: storage === 'tab' };
  return checkoutOf(browserPlatform(), rest);
}

/**
 * Goes on with the checkout that the customer left for their bank: on the page that they come back to, in the same tab,
 * where that page cannot get the client secret from its server. What has happened meanwhile comes as events. Null when
 * none is stored.
 */
export function resumeCheckout(): Checkout | null {
  const platform = browserPlatform();
  const stored = readStoredCheckout(platform.storage);
  return stored === null ? null : checkoutOf(platform, { ...stored, storesSecret: true });
}

/** Fields for a card, to be mounted in the page: with them the page pays by card and never has the card's number. */
export function createCardFields(options: CardFieldsOptions = {}): CardFields {
  return openCardFields({ ...options, baseUrl: options.baseUrl ?? new URL(import.meta.url).origin });
}

function checkoutOf(platform: Platform, input: Omit<CheckoutInput, 'credentials'>): Checkout {
  const credentials = splitClientSecret(input.clientSecret);
  if (credentials === null) return invalidCheckout(platform);
  return openCheckout(platform, { ...input, credentials, baseUrl: input.baseUrl.replace(/\/+$/, '') });
}

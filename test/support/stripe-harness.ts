import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { createStripeProvider } from '../../providers/stripe/stripe-provider.ts';
import { type FakeStripe, startFakeStripe } from '../../sandbox/fakes/stripe/fake-stripe.ts';

export const SECRET_KEY = 'sk_test_0123456789abcdef';
export const WEBHOOK_SECRET = 'whsec_0123456789abcdef';

/** The fake with the credentials of `adapterTo`. */
export function startFake(): Promise<FakeStripe> {
  return startFakeStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
}

/** The adapter to Stripe at an address. */
export function adapterTo(apiUrl: string, { timeoutMs = 5_000, requestsPerSecond = 10_000 } = {}): PaymentProvider {
  const credentials = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
  const environment = 'sandbox';
  return createStripeProvider({ name: 'stripe-main', environment, credentials, apiUrl, timeoutMs, requestsPerSecond });
}

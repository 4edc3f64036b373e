import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { CASHFREE } from '../../../../providers/cashfree/cashfree-provider.ts';

export const CLIENT_ID = 'TEST10023456';
export const CLIENT_SECRET = 'cashfree-test-secret';

export interface AdapterOptions {
  readonly timeoutMs?: number;
  readonly preauthorization?: boolean;
}

/** The settings of an account at an address. */
export function settingsFor(apiUrl: string, { timeoutMs = 5_000, preauthorization = false }: AdapterOptions = {}) {
  const credentials = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, fallbackPhone: '9999999999' };
  return {
    name: 'cashfree-1',
    environment: 'sandbox',
    apiUrl,
    timeoutMs,
    credentials: { ...credentials, preauthorization },
  } as const;
}

/** The adapter to a Cashfree at an address. */
export function adapterTo(apiUrl: string, options: AdapterOptions = {}): PaymentProvider {
  return CASHFREE.create(settingsFor(apiUrl, options));
}

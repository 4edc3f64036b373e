import { ADYEN } from '../../../../providers/adyen/adyen-provider.ts';
import type { AdyenCredentials } from '../../../../providers/adyen/credentials.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';

export const ADYEN_CREDENTIALS = {
  apiKey: 'adyen-test-key',
  merchantAccount: 'TestMerchant',
  hmacKey: 'A7'.repeat(32),
} satisfies AdyenCredentials;

/** The adapter for a fake at an address. */
export function adyenAdapterTo(apiUrl: string, timeoutMs = 5_000): PaymentProvider {
  return ADYEN.create({ name: 'adyen', environment: 'sandbox', credentials: ADYEN_CREDENTIALS, apiUrl, timeoutMs });
}

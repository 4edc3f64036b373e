import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { createProviderRegistry, type ProviderRegistry } from '../../providers/provider-registry.ts';

/** A registry with one provider, `alpha`, that has the given functions; all others throw. */
export function registryOf(answers: Partial<PaymentProvider>): ProviderRegistry {
  const unexpected = () => Promise.reject(new Error('not called here'));
  const provider: PaymentProvider = {
    name: 'alpha',
    authorize: unexpected,
    inquire: unexpected,
    close: unexpected,
    capture: unexpected,
    refund: unexpected,
    inquireRefund: unexpected,
    parseWebhook: () => null,
    ...answers,
  };
  return createProviderRegistry([{ provider, environments: ['sandbox'] }]);
}

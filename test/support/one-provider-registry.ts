import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { createProviderRegistry, type ProviderRegistry } from '../../providers/provider-registry.ts';

/** A registry of one provider, `alpha`, that answers as it is told and fails where it is told nothing. */
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

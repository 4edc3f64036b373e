import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { createProviderRegistry, type ProviderRegistry } from '../../providers/provider-registry.ts';
import { SIMULATOR_CAPABILITIES } from '../../providers/simulator/simulator-provider.ts';

/** A registry with one provider, `alpha`, that has the given functions; all others throw. */
export function registryOf(answers: Partial<PaymentProvider>): ProviderRegistry {
  const unexpected = () => Promise.reject(new Error('not called here'));
  const provider: PaymentProvider = {
    name: 'alpha',
    capabilities: SIMULATOR_CAPABILITIES,
    authorize: unexpected,
    inquire: unexpected,
    close: unexpected,
    capture: unexpected,
    refund: unexpected,
    inquireRefund: unexpected,
    parseWebhook: () => ({ events: [], skipped: [] }),
    ...answers,
  };
  return createProviderRegistry([{ provider, environments: ['sandbox'] }]);
}

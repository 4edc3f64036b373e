import { CAPTURE_METHODS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import type { PaymentProvider, ProviderAbilities } from '../../providers/payment-provider.ts';
import { createProviderRegistry, type ProviderRegistry } from '../../providers/provider-registry.ts';

/** Those of the simulator. */
export const ALL_ABILITIES: ProviderAbilities = {
  methods: PAYMENT_METHOD_TYPES,
  captureMethods: CAPTURE_METHODS,
  partialCapture: true,
  inquiry: 'exact',
  closing: 'at_once',
  capturing: 'at_once',
};

/** A registry with one provider, `alpha`, that has the given functions; all others throw. */
export function registryOf(answers: Partial<PaymentProvider>): ProviderRegistry {
  const unexpected = () => Promise.reject(new Error('not called here'));
  const provider: PaymentProvider = {
    name: 'alpha',
    abilities: ALL_ABILITIES,
    authorize: unexpected,
    inquire: unexpected,
    close: unexpected,
    capture: unexpected,
    refund: unexpected,
    inquireRefund: unexpected,
    parseWebhook: () => [],
    ...answers,
  };
  return createProviderRegistry([{ provider, environments: ['sandbox'] }]);
}

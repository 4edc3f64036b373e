import type { PaymentProvider } from './payment-provider.ts';

/** A method of a provider that calls it. */
export type ProviderOperation = Exclude<
  keyof PaymentProvider,
  'name' | 'capabilities' | 'parseWebhook' | 'isProgressing' | 'canAuthenticate'
>;

/** What is done around each call. */
export type AroundCall = <Outcome>(
  operation: ProviderOperation,
  call: () => Promise<Outcome>,
  signal: AbortSignal,
) => Promise<Outcome>;

/** The same provider, with something done around each call. */
export function aroundCalls(provider: PaymentProvider, around: AroundCall): PaymentProvider {
  const { name, capabilities } = provider;
  const wrapped =
    <Request, Outcome>(
      operation: ProviderOperation,
      call: (request: Request, signal: AbortSignal) => Promise<Outcome>,
    ) =>
    (request: Request, signal: AbortSignal): Promise<Outcome> =>
      around(operation, () => call(request, signal), signal);
  return {
    name,
    capabilities,
    authorize: wrapped('authorize', provider.authorize.bind(provider)),
    inquire: wrapped('inquire', provider.inquire.bind(provider)),
    close: wrapped('close', provider.close.bind(provider)),
    capture: wrapped('capture', provider.capture.bind(provider)),
    refund: wrapped('refund', provider.refund.bind(provider)),
    inquireRefund: wrapped('inquireRefund', provider.inquireRefund.bind(provider)),
    ...(provider.listPayments === undefined
      ? {}
      : { listPayments: wrapped('listPayments', provider.listPayments.bind(provider)) }),
    ...(provider.findPayment === undefined
      ? {}
      : { findPayment: wrapped('findPayment', provider.findPayment.bind(provider)) }),
    ...(provider.readCredential === undefined
      ? {}
      : { readCredential: wrapped('readCredential', provider.readCredential.bind(provider)) }),
    ...(provider.removeCredential === undefined
      ? {}
      : { removeCredential: wrapped('removeCredential', provider.removeCredential.bind(provider)) }),
    ...(provider.submitEvidence === undefined
      ? {}
      : { submitEvidence: wrapped('submitEvidence', provider.submitEvidence.bind(provider)) }),
    ...(provider.acceptDispute === undefined
      ? {}
      : { acceptDispute: wrapped('acceptDispute', provider.acceptDispute.bind(provider)) }),
    ...(provider.inquireDispute === undefined
      ? {}
      : { inquireDispute: wrapped('inquireDispute', provider.inquireDispute.bind(provider)) }),
    ...(provider.listDisputes === undefined
      ? {}
      : { listDisputes: wrapped('listDisputes', provider.listDisputes.bind(provider)) }),
    ...(provider.canAuthenticate === undefined ? {} : { canAuthenticate: provider.canAuthenticate.bind(provider) }),
    ...(provider.isProgressing === undefined ? {} : { isProgressing: provider.isProgressing.bind(provider) }),
    parseWebhook: provider.parseWebhook.bind(provider),
  };
}

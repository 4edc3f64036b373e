import { inSpanOfTrace } from '../traces/tracer.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { ProviderOutageError } from './provider-errors.ts';

/** A call to a provider that has ended. */
export interface ProviderCall {
  readonly provider: string;
  /** The method of the provider. */
  readonly operation: Exclude<keyof PaymentProvider, 'name' | 'capabilities' | 'parseWebhook' | 'isProgressing'>;
  /** `answered`, the code of an outage, `canceled` by the caller, or `error` for a bug. */
  readonly result: string;
  readonly durationMs: number;
}

/** The same provider, which reports each call, and shows it in traces: one call is one try. */
export function measureCalls(provider: PaymentProvider, onCall: (call: ProviderCall) => void): PaymentProvider {
  const { name, capabilities } = provider;
  const measured =
    <Request, Outcome>(
      operation: ProviderCall['operation'],
      call: (request: Request, signal: AbortSignal) => Promise<Outcome>,
    ) =>
    async (request: Request, signal: AbortSignal): Promise<Outcome> => {
      const startedAtMs = performance.now();
      const report = (result: string): void =>
        onCall({ provider: name, operation, result, durationMs: performance.now() - startedAtMs });
      try {
        const outcome = await inSpanOfTrace(
          () => ({ name: `provider ${operation}`, kind: 'internal', attributes: { provider: name } }),
          () => call(request, signal),
        );
        report('answered');
        return outcome;
      } catch (error) {
        report(resultOf(error, signal));
        throw error;
      }
    };
  return {
    name,
    capabilities,
    authorize: measured('authorize', provider.authorize.bind(provider)),
    inquire: measured('inquire', provider.inquire.bind(provider)),
    close: measured('close', provider.close.bind(provider)),
    capture: measured('capture', provider.capture.bind(provider)),
    refund: measured('refund', provider.refund.bind(provider)),
    inquireRefund: measured('inquireRefund', provider.inquireRefund.bind(provider)),
    ...(provider.listPayments === undefined
      ? {}
      : { listPayments: measured('listPayments', provider.listPayments.bind(provider)) }),
    ...(provider.findPayment === undefined
      ? {}
      : { findPayment: measured('findPayment', provider.findPayment.bind(provider)) }),
    ...(provider.isProgressing === undefined ? {} : { isProgressing: provider.isProgressing.bind(provider) }),
    parseWebhook: provider.parseWebhook.bind(provider),
  };
}

function resultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ProviderOutageError) return error.code;
  return signal.aborted ? 'canceled' : 'error';
}

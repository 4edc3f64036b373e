import { inSpanOfTrace } from '../traces/tracer.ts';
import { aroundCalls, type ProviderOperation } from './around-calls.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { ProviderOutageError } from './provider-errors.ts';

/** A call to a provider that has ended. */
export interface ProviderCall {
  readonly provider: string;
  readonly operation: ProviderOperation;
  /** `answered`, the code of an outage, `canceled` by the caller, or `error` for a bug. */
  readonly result: string;
  readonly durationMs: number;
}

/** The same provider, which reports each call, and shows it in traces: one call is one try. */
export function measureCalls(provider: PaymentProvider, onCall: (call: ProviderCall) => void): PaymentProvider {
  const { name } = provider;
  return aroundCalls(provider, async (operation, call, signal) => {
    const startedAtMs = performance.now();
    const report = (result: string): void =>
      onCall({ provider: name, operation, result, durationMs: performance.now() - startedAtMs });
    try {
      const outcome = await inSpanOfTrace(
        () => ({ name: `provider ${operation}`, kind: 'internal', attributes: { provider: name } }),
        call,
      );
      report('answered');
      return outcome;
    } catch (error) {
      report(resultOf(error, signal));
      throw error;
    }
  });
}

function resultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ProviderOutageError) return error.code;
  return signal.aborted ? 'canceled' : 'error';
}

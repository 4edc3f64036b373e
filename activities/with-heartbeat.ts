import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { SECOND_MS } from '../domain/time.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { ProviderOutageError } from '../providers/provider-errors.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';

const HEARTBEAT_EVERY_MS = 2 * SECOND_MS;

/** Keeps a provider call's heartbeat going, and names outages. */
export async function withHeartbeat<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  heartbeat();
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await namingOutages(() => call(cancellationSignal()));
  } finally {
    clearInterval(timer);
  }
}

/** Turns an outage into a failure whose type is the code people look for. */
export async function namingOutages<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderOutageError)) throw error;
    throw ApplicationFailure.create({ type: error.code, message: error.message });
  }
}

/** Whether a provider may take new payments is decided when routes are planned; what is open there is always seen to. */
export function providerOf(registry: ProviderRegistry, { provider }: { readonly provider: string }): PaymentProvider {
  const found = registry.find(provider);
  if (found === undefined) throw new Error(`provider ${provider} is not configured`);
  return found;
}

/** The failure with which an activity is retried for as long as the provider has no final answer. */
export function outcomeOpen({ provider }: { readonly provider: string }, standing: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'OUTCOME_OPEN',
    message: `${provider} has no final outcome yet (${standing})`,
  });
}

import type { RegisteredProvider } from '../provider-registry.ts';
import { createSimulatorProvider } from './simulator-provider.ts';

export interface SimulatorsSettings {
  /** Each instance of the simulator, by the name that routes call it. */
  readonly simulators: readonly { readonly name: string; readonly url: string }[];
  /** Null only where there are no simulators. */
  readonly apiKey: string | null;
  /** `whsec_` and base64: what the instances sign their webhooks with. Null only where there are no simulators. */
  readonly webhookSecret: string | null;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** Whether production payments may go to simulators. */
  readonly allowInProduction: boolean;
}

/**
 * One adapter for each instance of the sandbox simulator, for the registry.
 * @throws RangeError when there are simulators, but no key or secret for them
 */
export function createSimulators(settings: SimulatorsSettings): RegisteredProvider[] {
  const { simulators, apiKey, webhookSecret, timeoutMs, allowInProduction } = settings;
  if (simulators.length === 0) return [];
  if (apiKey === null || webhookSecret === null)
    throw new RangeError('simulators need an API key and a webhook secret');
  return simulators.map(({ name, url }) => ({
    provider: createSimulatorProvider({ name, url, apiKey, webhookSecret, timeoutMs }),
    environments: allowInProduction ? ['sandbox', 'production'] : ['sandbox'],
  }));
}

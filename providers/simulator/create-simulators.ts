import type { RegisteredProvider } from '../provider-registry.ts';
import { createSimulatorProvider } from './simulator-provider.ts';

export interface SimulatorsSettings {
  /** Each instance of the simulator, by the name that routes call it. */
  readonly simulators: readonly { readonly name: string; readonly url: string }[];
  readonly apiKey: string;
  /** `whsec_` and base64: what the instances sign their webhooks with. */
  readonly webhookSecret: string;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** Whether play money may stand in for real payments. */
  readonly allowInProduction: boolean;
}

/** One adapter for each instance of the sandbox simulator, fit for the registry. */
export function createSimulators(settings: SimulatorsSettings): RegisteredProvider[] {
  const { simulators, apiKey, webhookSecret, timeoutMs, allowInProduction } = settings;
  return simulators.map(({ name, url }) => ({
    provider: createSimulatorProvider({ name, url, apiKey, webhookSecret, timeoutMs }),
    environments: allowInProduction ? ['sandbox', 'production'] : ['sandbox'],
  }));
}

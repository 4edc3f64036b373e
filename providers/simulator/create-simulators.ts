import type { RegisteredProvider } from '../provider-registry.ts';
import { createSimulatorProvider, type SimulatorProviderSettings } from './simulator-provider.ts';

export interface SimulatorsSettings {
  /** Each instance of the simulator, by the name that routes call it. */
  readonly simulators: readonly Omit<SimulatorProviderSettings, 'timeoutMs'>[];
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** Whether production payments may go to simulators. */
  readonly allowInProduction: boolean;
}

/** One adapter for each instance of the sandbox simulator, for the registry. */
export function createSimulators({
  simulators,
  timeoutMs,
  allowInProduction,
}: SimulatorsSettings): RegisteredProvider[] {
  return simulators.map((simulator) => ({
    provider: createSimulatorProvider({ ...simulator, timeoutMs }),
    environments: allowInProduction ? ['sandbox', 'production'] : ['sandbox'],
  }));
}

import path from 'node:path';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ChildSpec } from './child-spec.ts';
import { nodeSpec } from './engine-processes.ts';
import { engineProcesses, type StackOptions } from './stack-options.ts';

export const SIMULATORS = [
  { name: 'alpha', port: 'simulatorAlpha' },
  { name: 'beta', port: 'simulatorBeta' },
] as const;

/** How the simulators are run under the supervisor. @param settings those that all processes share */
export function simulatorSpecs(options: StackOptions, settings: Settings): ChildSpec[] {
  return SIMULATORS.map(({ name, port }, index) =>
    simulatorSpec({ name, port: options.ports[port], apiPort: apiPortFor(index, options) }, options, settings),
  );
}

/** Which API takes a simulator's webhooks, where there are several. */
function apiPortFor(index: number, options: StackOptions): number {
  const ports = engineProcesses(options).flatMap((each) => (each.kind === 'api' ? [each.port] : []));
  return ports[index % ports.length] ?? options.ports.api;
}

interface SimulatorPlace {
  readonly name: 'alpha' | 'beta';
  readonly port: number;
  readonly apiPort: number;
}

function simulatorSpec({ name, port, apiPort }: SimulatorPlace, options: StackOptions, settings: Settings): ChildSpec {
  const env = {
    ...settingsOf('simulator', settings),
    SIMULATOR_NAME: name,
    SIMULATOR_API_KEY: valueOf(name, settings.SIMULATOR_API_KEYS),
    SIMULATOR_WEBHOOK_SECRET: valueOf(name, settings.SIMULATOR_WEBHOOK_SECRETS),
    SIMULATOR_PORT: String(port),
    SIMULATOR_DATA_FILE: path.join(options.dataDir, 'simulators', `${name}.jsonl`),
    SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${apiPort}/api/v1/providers/${name}/webhooks`,
    SIMULATOR_PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  return nodeSpec({
    name: `simulator-${name}`,
    program: 'sandbox/simulator/main.js',
    env,
    dataDir: options.dataDir,
    readyLine: /^simulator \S+ listening on /m,
  });
}

/** What a list of `name=value` pairs has for a name. */
function valueOf(name: string, pairs = ''): string | undefined {
  return pairs
    .split(',')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

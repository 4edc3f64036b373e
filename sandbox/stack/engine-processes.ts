import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { StackPorts } from '../../config/sandbox.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { DIST_DIR, distOf } from './project.ts';
import type { ChildSpec } from './child-spec.ts';

/** A process of the engine that the stack runs. */
export type EngineProcess = ApiProcess | WorkerProcess | GatewayProcess;

interface ApiProcess extends Connections {
  readonly kind: 'api';
  readonly name: 'api' | `api-${number}`;
  readonly port: number;
}

interface WorkerProcess extends Connections {
  readonly kind: 'worker';
  readonly name: 'worker' | `worker-${number}`;
  /** Where it serves its health and its metrics; absent means nowhere. */
  readonly port?: number;
}

interface GatewayProcess extends Connections {
  readonly kind: 'gateway';
  readonly name: 'gateway';
  readonly port: number;
}

interface Connections {
  /** Ports of the proxies through which it reaches servers, where there are any. */
  readonly via?: Readonly<Partial<Record<Upstream, number>>>;
  /** Variables of its own, which win over the shared ones. */
  readonly settings?: Settings;
}

/** A server that processes of the engine reach over TCP. */
export type Upstream = Exclude<keyof StackPorts, 'api' | 'temporalUi' | 'worker'>;

/** A program that runs beside the engine and is supervised with it. */
export interface CompanionProcess {
  readonly name: 'webhook-receiver' | `fake-${string}`;
  /** Below `dist`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly readyLine: RegExp;
}

/** What `npm start` runs: one API, which serves sockets too, and one worker. */
export function oneOfEach(ports: StackPorts): readonly EngineProcess[] {
  return [
    { kind: 'worker', name: 'worker', port: ports.worker },
    { kind: 'api', name: 'api', port: ports.api },
  ];
}

/**
 * How a process of the engine is run under the supervisor.
 * @param settings what all processes of the engine share
 * @param release the folder of the release that it belongs to; this one's otherwise
 */
export function engineProcessSpec(
  engineProcess: EngineProcess,
  settings: Settings,
  dataDir: string,
  release?: string,
): ChildSpec {
  const shared = { ...settings, ...settingsThroughProxies(engineProcess, settings), ...engineProcess.settings };
  const env = settingsOf(engineProcess.kind, shared);
  const { name } = engineProcess;
  switch (engineProcess.kind) {
    case 'api':
      return {
        ...nodeSpec({
          name,
          program: 'api/main.js',
          env: { ...env, PORT: String(engineProcess.port) },
          dataDir,
          release,
          readyLine: /^api listening on /m,
        }),
        // A read or a refusal takes it a millisecond, and should not wait behind payments that are under way.
        isUrgent: true,
      };
    case 'gateway':
      return nodeSpec({
        name,
        program: 'gateway/main.js',
        env: { ...env, GATEWAY_PORT: String(engineProcess.port) },
        dataDir,
        release,
        readyLine: /^gateway listening on /m,
      });
    case 'worker':
      return nodeSpec({
        name,
        program: 'worker/main.js',
        env: { ...env, WORKER_PORT: engineProcess.port?.toString() },
        dataDir,
        release,
        readyLine: /^worker polling /m,
      });
  }
}

/** The variables with the addresses of servers that it reaches through a proxy. */
function settingsThroughProxies({ via = {} }: Connections, settings: Settings): Settings {
  const { postgres, temporal, simulatorAlpha, simulatorBeta } = via;
  const portBySimulator = new Map([
    ['alpha', simulatorAlpha],
    ['beta', simulatorBeta],
  ]);
  const simulators = (settings.SIMULATORS ?? '').split(',').map((pair) => {
    const port = portBySimulator.get(pair.slice(0, pair.indexOf('=')));
    return port === undefined ? pair : pair.replace(/:\d+$/, `:${port}`);
  });
  return {
    ...(postgres === undefined ? {} : { DATABASE_URL: withPort(settings.DATABASE_URL ?? '', postgres) }),
    ...(temporal === undefined ? {} : { TEMPORAL_ADDRESS: `127.0.0.1:${temporal}` }),
    SIMULATORS: simulators.join(','),
  };
}

function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}

/** The address of the codec server. */
export function codecServerUrlOf(codecServerPort: number): string {
  return `http://127.0.0.1:${codecServerPort}`;
}

/** How the codec server is run: for the Temporal UI of this stack, on this machine alone. */
export function codecServerSpec(
  codecServerPort: number,
  temporalUi: string,
  settings: Settings,
  dataDir: string,
): ChildSpec {
  return nodeSpec({
    name: 'codec-server',
    program: 'scripts/codec-server.js',
    env: {
      ...settingsOf('codec-server', settings),
      CODEC_SERVER_HOST: '127.0.0.1',
      CODEC_SERVER_PORT: String(codecServerPort),
      CODEC_SERVER_ORIGINS:
        settings.CODEC_SERVER_ORIGINS || [temporalUi, temporalUi.replace('127.0.0.1', 'localhost')].join(','),
    },
    dataDir,
    readyLine: /^codec server listening on /m,
  });
}

/** How a companion is run under the supervisor. @param env without variables of ours */
export function companionSpec(companion: CompanionProcess, env: Settings, dataDir: string): ChildSpec {
  return { ...nodeSpec({ ...companion, env, dataDir }), stopWithinMs: 5 * SECOND_MS };
}

interface NodeProgram {
  readonly name: string;
  /** Below `dist`. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly env: Settings;
  readonly dataDir: string;
  readonly readyLine: RegExp;
  /** The folder of the release that it belongs to; this one's otherwise. */
  readonly release?: string | undefined;
}

/** How a Node program of ours is run under the supervisor. */
export function nodeSpec({ name, program, args = [], env, dataDir, readyLine, release }: NodeProgram): ChildSpec {
  const parentDeathHook = pathToFileURL(path.join(DIST_DIR, 'sandbox', 'stack', 'parent-death-hook.js')).href;
  return {
    name,
    command: process.execPath,
    args: ['--import', parentDeathHook, path.join(distOf(release), program), ...args],
    env,
    cwd: dataDir,
    isNode: true,
    stopSignal: 'SIGTERM',
    stopWithinMs: 30 * SECOND_MS,
    readyWithinMs: MINUTE_MS,
    isReady: (output) => readyLine.test(output),
  };
}

import type { Settings } from '../../config/read-variables.ts';
import type { StackPorts } from '../../config/sandbox.ts';
import type { ToolsConfig } from '../../config/tools.ts';
import { type CompanionProcess, type EngineProcess, oneOfEach } from './engine-processes.ts';
import type { DashboardPorts } from './dashboard-process.ts';
import type { NamedPort } from './ports.ts';

export interface StackOptions {
  readonly dataDir: string;
  readonly ports: StackPorts;
  readonly tools: ToolsConfig;
  /** The variables that the processes inherit; those that the stack sets itself win. */
  readonly settings: Settings;
  /** Variables that win over everything. */
  readonly overrides?: Settings;
  /** A database that runs already; null or absent means an embedded one. */
  readonly databaseUrl?: string | null;
  /** Whether the processes connect to that database each as its own role, as they do to an embedded one. */
  readonly hasRoles?: boolean;
  /** A Temporal server that runs already; null or absent means an embedded one. */
  readonly temporalAddress?: string | null;
  readonly temporalNamespace?: string;
  /** What runs of the engine; one API and one worker otherwise. The first API listens on the port named in `ports`. */
  readonly processes?: readonly EngineProcess[];
  /** The folder of the release that these processes and the tables belong to at the start; this one's otherwise. */
  readonly release?: string;
  /** What runs beside it. */
  readonly companions?: readonly CompanionProcess[];
  /** Where a demo shop is to be; null or absent means that there is none. */
  readonly demoPort?: number | null;
  /** Where a dashboard and its mailbox are to be; null or absent means that there are none. */
  readonly dashboardPorts?: DashboardPorts | null;
  /** Where a codec server is to be; null or absent means that there is none. */
  readonly codecServerPort?: number | null;
  /** Begin with empty data. */
  readonly fresh?: boolean;
  /** Aborts the start; what was started until then is stopped. */
  readonly signal?: AbortSignal;
  /** Prints a line for the user. */
  readonly report?: (line: string) => void;
}

/** From the one that is stopped last to the one that is stopped first. */
const SERVERS = ['postgres', 'temporal', 'simulator-alpha', 'simulator-beta'] as const;
export type StackProcess =
  | (typeof SERVERS)[number]
  | CompanionProcess['name']
  | EngineProcess['name']
  | 'demo'
  | 'dashboard'
  | 'mailbox'
  | 'codec-server';

/** Names of all processes, from the one that is stopped last to the one that is stopped first. */
export function stopOrder(options: StackOptions): readonly StackProcess[] {
  const companions = (options.companions ?? []).map(({ name }) => name);
  const engine = engineProcesses(options).map(({ name }) => name);
  return [...SERVERS, 'mailbox', ...companions, ...engine, 'demo', 'dashboard', 'codec-server'];
}

/** The processes of the engine: the given ones, or one of each kind. */
export function engineProcesses({ processes, ports }: StackOptions): readonly EngineProcess[] {
  return processes ?? oneOfEach(ports);
}

/** The ports on which this stack listens, with the variables that choose them. */
export function portsToUse({
  ports,
  demoPort,
  dashboardPorts,
  codecServerPort,
  databaseUrl,
  temporalAddress,
}: StackOptions): NamedPort[] {
  return [
    { port: ports.api, variable: 'PORT' },
    { port: ports.worker, variable: 'WORKER_PORT' },
    { port: ports.simulatorAlpha, variable: 'SIMULATOR_ALPHA_PORT' },
    { port: ports.simulatorBeta, variable: 'SIMULATOR_BETA_PORT' },
    ...(demoPort == null ? [] : [{ port: demoPort, variable: 'DEMO_PORT' }]),
    ...(dashboardPorts == null
      ? []
      : [
          { port: dashboardPorts.dashboard, variable: 'DASHBOARD_PORT' },
          { port: dashboardPorts.mailbox, variable: 'MAILBOX_PORT' },
          { port: dashboardPorts.mailboxSmtp, variable: 'MAILBOX_SMTP_PORT' },
        ]),
    ...(codecServerPort == null ? [] : [{ port: codecServerPort, variable: 'CODEC_SERVER_PORT' }]),
    ...(databaseUrl == null ? [{ port: ports.postgres, variable: 'POSTGRES_PORT' }] : []),
    ...(temporalAddress == null
      ? [
          { port: ports.temporal, variable: 'TEMPORAL_PORT' },
          { port: ports.temporalUi, variable: 'TEMPORAL_UI_PORT' },
        ]
      : []),
  ];
}

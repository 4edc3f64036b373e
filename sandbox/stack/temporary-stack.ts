import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Settings } from '../../config/read-variables.ts';
import { readTemporaryStackConfig, type StackPorts } from '../../config/sandbox.ts';
import type { CompanionProcess, EngineProcess } from './engine-processes.ts';
import { findFreePorts } from './ports.ts';
import { type Stack, startStack } from './stack.ts';

export interface TemporaryStack {
  readonly stack: Stack;
  readonly dataDir: string;
  /** Null where payloads are not encrypted. */
  readonly codecServerPort: number | null;
  /** Where the worker serves its metrics, unless the plan has other workers. */
  readonly workerPort: number;
  /** Stops it and removes its data. */
  end(): Promise<void>;
}

export interface TemporaryStackOptions {
  /** Variables that win over everything. */
  readonly overrides: Settings;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Servers that run already; embedded ones where absent. */
  readonly databaseUrl?: string;
  readonly hasRoles?: boolean;
  readonly temporalAddress?: string;
  /** The folder of the release that runs at the start; this one's otherwise. */
  readonly release?: string;
  /** Whether a dashboard and its mailbox run too. */
  readonly withDashboard?: boolean;
  /** The processes to run, where they are not one of each kind. */
  readonly plan?: (place: StackPlace) => Promise<StackPlan>;
}

/** The ports and the folder of a temporary stack that is about to start. */
export interface StackPlace {
  readonly ports: StackPorts;
  readonly dataDir: string;
}

export interface StackPlan {
  readonly processes: readonly EngineProcess[];
  readonly companions: readonly CompanionProcess[];
}

/** Starts an engine of its own: free ports, empty data, none of the caller's own settings. */
export async function startTemporaryStack(options: TemporaryStackOptions): Promise<TemporaryStack> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const [api = 0, postgres = 0, temporal = 0, temporalUi = 0, simulatorAlpha = 0, simulatorBeta = 0, worker = 0] =
    await findFreePorts(7);
  const [codecServer = 0, dashboard = 0, mailbox = 0, mailboxSmtp = 0] = await findFreePorts(4);
  const ports = { api, postgres, temporal, temporalUi, simulatorAlpha, simulatorBeta, worker };
  try {
    const { plan, withDashboard = false, ...given } = options;
    const planned = await plan?.({ ports, dataDir });
    const codecServerPort = given.overrides.TEMPORAL_ENCRYPT_PAYLOADS === 'true' ? codecServer : null;
    const stack = await startStack({
      ...readTemporaryStackConfig(),
      ...given,
      ...planned,
      dataDir,
      ports,
      codecServerPort,
      dashboardPorts: withDashboard ? { dashboard, mailbox, mailboxSmtp } : null,
    });
    const end = async () => {
      try {
        await stack.stop();
      } finally {
        await remove();
      }
    };
    return { stack, dataDir, codecServerPort, workerPort: worker, end };
  } catch (error) {
    await remove();
    throw error;
  }
}

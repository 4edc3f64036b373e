import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readTemporaryStackConfig } from '../config/sandbox.ts';
import { embeddedDatabaseUrl, ensureDatabase } from '../sandbox/stack/postgres.ts';
import { createSupervisor } from '../sandbox/stack/supervisor.ts';
import { provideTemporalServer } from '../sandbox/tools/temporal-server-programs.ts';
import { type PostgresPair, type Standby, startPostgresPair } from './postgres-pair.ts';
import { startTemporalCluster, TEMPORAL_PROCESSES } from './temporal-cluster.ts';

/** The servers that the engine needs, as an operator runs them. */
export interface ClusterServers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** The databases of the engine and of Temporal. */
  readonly databases: Readonly<Record<DatabaseName, PostgresPair>>;
  /** Sends SIGKILL; the process is started again. Resolves when it has ended. */
  kill(name: (typeof TEMPORAL_PROCESSES)[number]): Promise<void>;
  /** Resolves when all processes of Temporal are ready. */
  whenReady(): Promise<void>;
  stop(): Promise<void>;
}

export const DATABASE_NAMES = ['engine', 'temporal'] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export interface ServersOptions {
  /** Holds all data; keeps it for another start. */
  readonly folder: string;
  readonly passwords: Passwords;
  readonly standby: Standby;
  /** Whether the databases can be restored to any moment. */
  readonly archives?: boolean;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

export interface Passwords {
  readonly superuser: string;
  readonly owner: string;
}

export function newPasswords(): Passwords {
  const password = (): string => randomBytes(24).toString('base64url');
  return { superuser: password(), owner: password() };
}

/** Starts PostgreSQL for each of engine and Temporal, with a standby if there is to be one, and Temporal as several processes. */
export async function startServers(options: ServersOptions): Promise<ClusterServers> {
  const { folder, passwords, standby, archives = false, signal, report } = options;
  const { tools, settings } = readTemporaryStackConfig();
  const programs = await provideTemporalServer({ tools, settings, report });
  await mkdir(folder, { recursive: true });
  // PostgreSQL runs as another user, if this one is root.
  await chmod(folder, 0o711);
  const supervisor = createSupervisor({ dataDir: folder, report, order: STOP_ORDER });
  const pairs: PostgresPair[] = [];
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await Promise.all(pairs.map((pair) => pair.close()));
  };
  const startPair = async (name: DatabaseName): Promise<PostgresPair> => {
    const password = passwords.superuser;
    const pair = await startPostgresPair({ supervisor, folder, name, password, settings, standby, archives });
    pairs.push(pair);
    return pair;
  };
  try {
    report('Starting PostgreSQL for the engine and for Temporal …');
    const engine = await startPair('engine');
    const temporal = await startPair('temporal');
    await ensureDatabase(
      { dataDir: folder, settings, port: engine.port, password: passwords.superuser },
      passwords.owner,
    );
    signal.throwIfAborted();
    report(`Starting Temporal as ${TEMPORAL_PROCESSES.length} processes (10 to 30 seconds) …`);
    const postgres = { port: temporal.port, password: passwords.superuser };
    const configFolder = path.join(folder, 'temporal');
    const temporalAddress = await startTemporalCluster({
      supervisor,
      folder: configFolder,
      programs,
      settings,
      postgres,
    });
    for (const pair of pairs) await pair.startStandby();
    return {
      databaseUrl: embeddedDatabaseUrl(engine.port, 'owner', passwords.owner),
      temporalAddress,
      databases: { engine, temporal },
      kill: (name) => supervisor.kill(name, 'SIGKILL'),
      whenReady: async () => void (await Promise.all(TEMPORAL_PROCESSES.map((name) => supervisor.whenReady(name)))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const STOP_ORDER = [
  ...DATABASE_NAMES.flatMap((name) => [`${name}-postgres-standby`, `${name}-postgres-primary`]),
  ...TEMPORAL_PROCESSES,
];

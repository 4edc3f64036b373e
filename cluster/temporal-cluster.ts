import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Settings } from '../config/read-variables.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { ChildSpec } from '../sandbox/stack/child-spec.ts';
import { findFreePorts } from '../sandbox/stack/ports.ts';
import type { Supervisor } from '../sandbox/stack/supervisor.ts';
import { DYNAMIC_CONFIG, GO_COLLECTOR } from '../sandbox/stack/temporal-server.ts';
import type { TemporalServerPrograms } from '../sandbox/tools/temporal-server-programs.ts';

export interface TemporalClusterOptions {
  readonly supervisor: Supervisor;
  /** The folder of the configuration files. */
  readonly folder: string;
  readonly programs: TemporalServerPrograms;
  readonly settings: Settings;
  /** Where PostgreSQL is reached, and its superuser's password. */
  readonly postgres: { readonly port: number; readonly password: string };
}

/** The server's processes: each runs one service, and both of a pair share its work. */
export const TEMPORAL_PROCESSES = [
  'temporal-frontend',
  'temporal-history-1',
  'temporal-history-2',
  'temporal-matching-1',
  'temporal-matching-2',
  'temporal-worker',
] as const;

export const NAMESPACE = 'default';
const HISTORY_SHARDS = 64;
const PLUGIN = 'postgres12_pgx';
const STORES = { temporal: 'temporal', visibility: 'temporal_visibility' };
const USER = 'postgres';
const RETENTION = '30 days';
const LOOPBACK = '127.0.0.1';

const run = promisify(execFile);

/** Makes the tables where there are none, starts the processes, and makes the namespace. Resolves with the frontend's address. */
export async function startTemporalCluster(options: TemporalClusterOptions): Promise<string> {
  for (const [schema, database] of Object.entries(STORES)) await provideTables(options, schema, database);
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(options.folder, 'dynamic-config.json'), JSON.stringify(dynamicConfig()));
  const ports = await findFreePorts(2 * TEMPORAL_PROCESSES.length + 1);
  const processes = TEMPORAL_PROCESSES.map((name, index) => {
    const [grpcPort = 0, membershipPort = 0] = ports.slice(2 * index);
    return { name, rpc: { grpcPort, membershipPort, httpPort: ports.at(-1) ?? 0, bindOnLocalHost: true } };
  });
  const start = async ({ name, rpc }: (typeof processes)[number]): Promise<void> => {
    const file = path.join(options.folder, `${name}.json`);
    // A process has to know every service, but only the ports of its own: it finds the others through the database.
    const services = Object.fromEntries(
      processes.toReversed().map((each) => [serviceOf(each.name), { rpc: each.rpc }]),
    );
    const config = serverConfig(options, { ...services, [serviceOf(name)]: { rpc } });
    await writeFile(file, JSON.stringify(config), { mode: 0o600 });
    await options.supervisor.start(processSpec(options, name, file, rpc.grpcPort));
  };
  // The first one writes the metadata of the cluster; two that do so at once fail.
  const [first, ...others] = processes;
  if (first !== undefined) await start(first);
  await Promise.all(others.map(start));
  const address = `${LOOPBACK}:${ports[0] ?? 0}`;
  await provideNamespace(address);
  return address;
}

async function provideTables(
  { programs, postgres, settings }: TemporalClusterOptions,
  schema: string,
  database: string,
) {
  const connection = ['--plugin', PLUGIN, '--ep', LOOPBACK, '-p', String(postgres.port), '-u', USER, '--db', database];
  const call = (args: readonly string[]) =>
    run(programs.schemaTool, [...connection, ...args], {
      env: { ...settings, SQL_PASSWORD: postgres.password },
      timeout: MINUTE_MS,
    });
  const exists = await call(['update-schema', '--schema-name', `postgresql/v12/${schema}`]).then(
    () => true,
    () => false,
  );
  if (exists) return;
  await call(['create-database']);
  await call(['setup-schema', '--version', '0.0']);
  await call(['update-schema', '--schema-name', `postgresql/v12/${schema}`]);
}

/** `name=value` of the development server, as the server's file has it. */
function dynamicConfig(): Readonly<Record<string, readonly { readonly value: unknown }[]>> {
  const pairs = DYNAMIC_CONFIG.map((pair) => pair.split('=') as [string, string]);
  return Object.fromEntries(pairs.map(([name, value]) => [name, [{ value: JSON.parse(value) as unknown }]]));
}

type TemporalProcess = (typeof TEMPORAL_PROCESSES)[number];

type Services = Readonly<Record<string, { readonly rpc: { readonly grpcPort: number } }>>;

/** The server reads YAML, of which JSON is a part. */
function serverConfig({ folder, postgres }: TemporalClusterOptions, services: Services) {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: PLUGIN,
      databaseName,
      connectAddr: `${LOOPBACK}:${postgres.port}`,
      connectProtocol: 'tcp',
      user: USER,
      password: postgres.password,
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: '1h',
    },
  });
  const frontendAddress = `${LOOPBACK}:${services.frontend?.rpc.grpcPort ?? 0}`;
  return {
    log: { stdout: true, level: 'warn', format: 'console' },
    persistence: {
      numHistoryShards: HISTORY_SHARDS,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: store(STORES.temporal), visibility: store(STORES.visibility) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontendAddress },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: frontendAddress },
    dynamicConfigClient: { filepath: path.join(folder, 'dynamic-config.json'), pollInterval: '60s' },
  };
}

function serviceOf(name: TemporalProcess): string {
  return name.split('-')[1] ?? '';
}

function processSpec(
  { programs, settings, folder }: TemporalClusterOptions,
  name: TemporalProcess,
  configFile: string,
  grpcPort: number,
): ChildSpec {
  return {
    name,
    command: programs.server,
    args: ['--config-file', configFile, '--allow-no-auth', 'start', '--service', serviceOf(name)],
    env: { ...GO_COLLECTOR, ...settings },
    cwd: folder,
    isNode: false,
    stopSignal: 'SIGTERM',
    stopWithinMs: 15 * SECOND_MS,
    readyWithinMs: 2 * MINUTE_MS,
    isReady: () => listens(grpcPort),
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** The frontend needs a moment until it has found the other services, and its cache a moment for a new namespace. */
async function provideNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: MINUTE_MS });
  const deadline = Date.now() + MINUTE_MS;
  const tryFor = async (call: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        return void (await call());
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(SECOND_MS);
      }
    }
  };
  const register = () =>
    connection.workflowService
      .registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: msToTs(RETENTION) })
      .catch((error: unknown) => {
        if (!String(error).includes('already exists')) throw error;
      });
  try {
    await tryFor(register);
    await tryFor(() => connection.workflowService.describeNamespace({ namespace: NAMESPACE }));
    await tryFor(() =>
      connection.workflowService.describeTaskQueue({ namespace: NAMESPACE, taskQueue: { name: 'warm-up' } }),
    );
  } finally {
    await connection.close();
  }
}

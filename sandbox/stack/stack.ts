import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, type StackPorts, type ToolsConfig } from '../../config.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import {
  emptyDataFolder,
  lockDataFolder,
  prepareDataFolder,
  provideSecrets,
  type Sandbox,
  type Secrets,
  writeSandbox,
} from './data-folder.ts';
import {
  type CompanionProcess,
  companionSpec,
  type EngineProcess,
  engineProcessSpec,
  nodeSpec,
  oneOfEach,
} from './engine-processes.ts';
import { checkPortsAreFree } from './ports.ts';
import { embeddedDatabaseUrl, ensureDatabase, initializePostgres, postgresSpec } from './postgres.ts';
import { processRecordsSchema } from './process-records.ts';
import { type ProcessRecord, stopProcess } from './processes.ts';
import { PROJECT_ROOT } from './project.ts';
import { SANDBOX_ACCOUNTS } from './sandbox-data.ts';
import { UserError } from '../../domain/user-error.ts';
import { type ChildSpec, createSupervisor, processesFile, type Supervisor } from './supervisor.ts';
import { provideTemporalCli } from '../tools/temporal-cli.ts';
import { keepHistories, temporalServerSpec } from './temporal-server.ts';

export interface StackOptions {
  readonly dataDir: string;
  readonly ports: StackPorts;
  readonly tools: ToolsConfig;
  /** What the processes inherit; variables of the stack itself win over it. */
  readonly environment: Environment;
  /** Variables that win over everything. */
  readonly overrides?: Environment;
  /** A database that runs already; null or absent means an embedded one. */
  readonly databaseUrl?: string | null;
  /** A Temporal server that runs already; null or absent means an embedded one. */
  readonly temporalAddress?: string | null;
  readonly temporalNamespace?: string;
  /** What runs of the engine; one API and one worker otherwise. The first API listens on the port named in `ports`. */
  readonly processes?: readonly EngineProcess[];
  /** What runs beside it. */
  readonly companions?: readonly CompanionProcess[];
  /** Where a demo shop is to be; null or absent means that there is none. */
  readonly demoPort?: number | null;
  /** Begin with empty data. */
  readonly fresh?: boolean;
  /** Gives the start up; what was started until then is stopped. */
  readonly signal?: AbortSignal;
  /** Takes lines for the person at the keyboard. */
  readonly report?: (line: string) => void;
}

/** From the one that is stopped last on. */
const SERVERS = ['postgres', 'temporal', 'simulator-alpha', 'simulator-beta'] as const;
export type StackProcess = (typeof SERVERS)[number] | CompanionProcess['name'] | EngineProcess['name'] | 'demo';

export interface Stack {
  readonly sandbox: Sandbox;
  /** Drains a process and starts it again; resolves when it is ready. */
  restart(name: StackProcess): Promise<void>;
  /** Sends a signal; a process that dies of it is started again. Resolves when that process has ended. */
  kill(name: StackProcess, signal: NodeJS.Signals): Promise<void>;
  /** Resolves when a process that was killed is ready again. */
  whenReady(name: StackProcess): Promise<void>;
  pidOf(name: StackProcess): number | undefined;
  /** Drains everything, the API first, PostgreSQL last. */
  stop(): Promise<void>;
}

const SIMULATORS = [
  { name: 'alpha', port: 'simulatorAlpha' },
  { name: 'beta', port: 'simulatorBeta' },
] as const;

/**
 * Starts PostgreSQL, Temporal, migrations, seed, simulators, worker and API, each server in a process of its own that is
 * started again when it dies.
 * @throws SentenceError when something is in the way; everything that was started is stopped then
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir } = options;
  await prepareDataFolder(dataDir);
  const unlock = await lockDataFolder(dataDir);
  try {
    await stopLeftovers(dataDir);
    if (options.fresh === true) await emptyDataFolder(dataDir);
    await checkPortsAreFree(portsToUse(options));
    return await startProcesses(options, await provideSecrets(dataDir), unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function startProcesses(options: StackOptions, secrets: Secrets, unlock: () => Promise<void>): Promise<Stack> {
  const { dataDir, report = () => undefined } = options;
  const supervisor = createSupervisor({ dataDir, report, order: stopOrder(options) });
  const { promise: givenUp, reject: giveUp } = deferred();
  options.signal?.addEventListener('abort', () => giveUp(new UserError('Stopped before everything was started.')));
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await unlock();
  };
  try {
    const sandbox = await Promise.race([startParts(options, secrets, supervisor), givenUp]);
    return {
      sandbox,
      restart: (name) => supervisor.restart(name),
      kill: (name, signal) => supervisor.kill(name, signal),
      whenReady: (name) => supervisor.whenReady(name),
      pidOf: (name) => supervisor.pidOf(name),
      stop,
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** Names of all processes, from the one that is stopped last to the one that is stopped first. */
function stopOrder(options: StackOptions): readonly StackProcess[] {
  const companions = (options.companions ?? []).map(({ name }) => name);
  return [...SERVERS, ...companions, ...engineProcesses(options).map(({ name }) => name), 'demo'];
}

function engineProcesses({ processes, ports }: StackOptions): readonly EngineProcess[] {
  return processes ?? oneOfEach(ports);
}

/** Each part starts as soon as what it cannot do without is there; the worker waits for Temporal by itself. */
async function startParts(options: StackOptions, secrets: Secrets, supervisor: Supervisor): Promise<Sandbox> {
  const { dataDir, ports, report = () => undefined } = options;
  const sandbox = sandboxOf(options, secrets);
  const environment = engineEnvironment(options, secrets, sandbox);
  await mkdir(path.join(dataDir, 'simulators'), { recursive: true, mode: 0o700 });
  const databaseReady = startDatabase(options, secrets, supervisor).then(() => migrateDatabase(sandbox, report));
  const temporalCli = findTemporalCli(options);
  await Promise.all([
    temporalCli.then((executable) => startTemporal(executable, options, supervisor)),
    ...SIMULATORS.map(({ name, port }, index) =>
      supervisor.start(
        simulatorSpec({ name, port: ports[port], apiPort: apiPortFor(index, options) }, options, environment),
      ),
    ),
    Promise.all([databaseReady, temporalCli]).then(async () => {
      report('Starting the worker and the API (2 to 6 seconds) …');
      await Promise.all([
        ...engineProcesses(options).map((each) => supervisor.start(engineProcessSpec(each, environment, dataDir))),
        ...(options.companions ?? []).map((each) =>
          supervisor.start(companionSpec(each, options.environment, dataDir)),
        ),
        startDemo(options, sandbox, environment, supervisor),
        fillDatabase(sandbox),
      ]);
    }),
  ]);
  await writeSandbox(dataDir, sandbox);
  return sandbox;
}

/** A process of its own with nothing but what a merchant's server has: the API's address and a key. */
async function startDemo(
  options: StackOptions,
  sandbox: Sandbox,
  { DATABASE_URL: _database, VAULT_KEYS: _keys, ...environment }: Environment,
  supervisor: Supervisor,
): Promise<void> {
  if (options.demoPort == null) return;
  const variables = {
    ...environment,
    DEMO_PORT: String(options.demoPort),
    DEMO_API_URL: sandbox.baseUrl,
    DEMO_API_KEY: sandbox.apiKey,
    DEMO_SECRET_SALT: sandbox.secretSalt,
  };
  const readyLine = /^demo shop listening on /m;
  const { dataDir } = options;
  await supervisor.start(
    nodeSpec({ name: 'demo', program: 'sandbox/demo-shop/main.js', env: variables, dataDir, readyLine }),
  );
}

/** Where the demo shop is. */
export function demoUrlOf(demoPort: number): string {
  return `http://127.0.0.1:${demoPort}/demo`;
}

function deferred(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

async function startDatabase(options: StackOptions, secrets: Secrets, supervisor: Supervisor): Promise<void> {
  if (options.databaseUrl != null) return;
  const { dataDir, environment, report = () => undefined } = options;
  const postgres = { dataDir, environment, port: options.ports.postgres, password: secrets.postgresPassword };
  const isNew = !existsSync(path.join(dataDir, 'postgres'));
  report(isNew ? 'Setting up PostgreSQL (about 5 seconds, once only) …' : 'Starting PostgreSQL …');
  await initializePostgres(postgres);
  await supervisor.start(await postgresSpec(postgres));
  await ensureDatabase(postgres);
}

/** The program of the Temporal server; null where one runs already. */
async function findTemporalCli({ temporalAddress, tools, environment, report = () => undefined }: StackOptions) {
  return temporalAddress == null ? provideTemporalCli({ tools, environment, report }) : null;
}

async function startTemporal(executable: string | null, options: StackOptions, supervisor: Supervisor): Promise<void> {
  if (executable === null) return;
  const { dataDir, environment, ports, temporalNamespace: namespace = 'default', report = () => undefined } = options;
  const isNew = !existsSync(path.join(dataDir, 'temporal.sqlite'));
  report('Starting the Temporal server (2 to 5 seconds) …');
  const temporal = { executable, dataDir, environment, namespace, port: ports.temporal, uiPort: ports.temporalUi };
  await supervisor.start(temporalServerSpec(temporal));
  if (isNew) await keepHistories(temporal);
}

async function migrateDatabase({ databaseUrl }: Sandbox, report: (line: string) => void): Promise<void> {
  const directory = path.join(PROJECT_ROOT, 'prisma', 'migrations');
  const applied = await applyMigrations({ url: databaseUrl, directory });
  if (applied.length > 0) report(`Applied database migrations: ${applied.join(', ')}.`);
}

/** Beside the start of the processes, which need the tables only; loading what fills them would hold the start up. */
async function fillDatabase({ databaseUrl, apiKey, secretSalt }: Sandbox): Promise<void> {
  const [{ createDatabase }, { seedSandbox }] = await Promise.all([
    import('../../prisma/client.ts'),
    import('./write-sandbox-data.ts'),
  ]);
  const database = createDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    await seedSandbox(database, { apiKey, secretSalt });
  } finally {
    await database.$disconnect();
  }
}

function sandboxOf(options: StackOptions, secrets: Secrets): Sandbox {
  const { ports } = options;
  const temporalAddress = options.temporalAddress ?? `127.0.0.1:${ports.temporal}`;
  const [host] = temporalAddress.split(':');
  const embedded = { port: ports.postgres, password: secrets.postgresPassword };
  return {
    baseUrl: `http://127.0.0.1:${ports.api}`,
    apiKey: secrets.apiKey,
    secretSalt: secrets.secretSalt,
    merchantId: SANDBOX_ACCOUNTS[0].id,
    temporalAddress,
    temporalUi: `http://${host}:${ports.temporalUi}`,
    databaseUrl: options.databaseUrl ?? embeddedDatabaseUrl(embedded),
    simulators: SIMULATORS.map(({ name, port }) => ({ name, url: `http://127.0.0.1:${ports[port]}` })),
  };
}

function engineEnvironment(options: StackOptions, secrets: Secrets, sandbox: Sandbox): Environment {
  const { environment, overrides, ports, temporalNamespace = 'default' } = options;
  const ownKeys = environment.VAULT_KEYS || environment.VAULT_KEY_FILE ? {} : { VAULT_KEYS: secrets.vaultKeys };
  return {
    ...environment,
    ...ownKeys,
    DATABASE_URL: sandbox.databaseUrl,
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    HOST: environment.HOST || '127.0.0.1',
    PORT: String(ports.api),
    ...(options.demoPort == null ? {} : { DEMO_URL: demoUrlOf(options.demoPort) }),
    SIMULATORS: sandbox.simulators.map(({ name, url }) => `${name}=${url}`).join(','),
    SIMULATOR_API_KEY: secrets.simulatorApiKey,
    SIMULATOR_WEBHOOK_SECRET: secrets.simulatorWebhookSecret,
    ...overrides,
  };
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

function simulatorSpec(
  { name, port, apiPort }: SimulatorPlace,
  options: StackOptions,
  environment: Environment,
): ChildSpec {
  const env = {
    ...environment,
    SIMULATOR_NAME: name,
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

function portsToUse({ ports, demoPort, databaseUrl, temporalAddress }: StackOptions) {
  return [
    { port: ports.api, variable: 'PORT' },
    { port: ports.simulatorAlpha, variable: 'SIMULATOR_ALPHA_PORT' },
    { port: ports.simulatorBeta, variable: 'SIMULATOR_BETA_PORT' },
    ...(demoPort == null ? [] : [{ port: demoPort, variable: 'DEMO_PORT' }]),
    ...(databaseUrl == null ? [{ port: ports.postgres, variable: 'POSTGRES_PORT' }] : []),
    ...(temporalAddress == null
      ? [
          { port: ports.temporal, variable: 'TEMPORAL_PORT' },
          { port: ports.temporalUi, variable: 'TEMPORAL_UI_PORT' },
        ]
      : []),
  ];
}

/** Stops what a run that was killed has left behind, the last one started first. */
async function stopLeftovers(dataDir: string): Promise<void> {
  const file = processesFile(dataDir);
  if (!existsSync(file)) return;
  let records: readonly ProcessRecord[];
  try {
    records = processRecordsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return;
  }
  for (const record of [...records].reverse()) await stopProcess(record);
}

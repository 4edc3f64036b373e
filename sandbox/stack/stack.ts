import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { settingsForOtherPrograms } from '../../config/programs.ts';
import { UserError } from '../../domain/user-error.ts';
import {
  emptyDataFolder,
  lockDataFolder,
  prepareDataFolder,
  provideSecrets,
  type Sandbox,
  type Secrets,
  writeSandbox,
} from './data-folder.ts';
import { dashboardSpec, mailboxSpec } from './dashboard-process.ts';
import { demoSpec } from './demo-process.ts';
import type { ChildSpec } from './child-spec.ts';
import { codecServerSpec, companionSpec, type EngineProcess, engineProcessSpec } from './engine-processes.ts';
import { checkPortsAreFree, type ListeningPlace } from './ports.ts';
import { embeddedDatabaseUrl } from './postgres.ts';
import { stopLeftoverProcesses } from './process-records.ts';
import { simulatorSpecs } from './simulator-processes.ts';
import { engineProcesses, portsToUse, type StackOptions, type StackProcess, stopOrder } from './stack-options.ts';
import { databaseUrlFor, engineSettings, sandboxOf } from './stack-settings.ts';
import { seedDatabase, provideTemporalCli, migrateDatabase, startDatabase, startTemporal } from './start-servers.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { guardTemporalUi } from './temporal-ui.ts';

export interface Stack {
  readonly sandbox: Sandbox;
  /** The address of the embedded database for PostgreSQL's superuser. */
  readonly superuserUrl: string;
  /** Drains a process and starts it again; resolves when it is ready. */
  restart(name: StackProcess): Promise<void>;
  /** Sends a signal; a process that dies of it is started again. Resolves when that process has ended. */
  kill(name: StackProcess, signal: NodeJS.Signals): Promise<void>;
  /** Resolves when a process that was killed is ready again. */
  whenReady(name: StackProcess): Promise<void>;
  pidOf(name: StackProcess): number | undefined;
  /** Starts a process of this release; resolves when it is ready. Another of its name must have ended. */
  startProcess(engineProcess: EngineProcess): Promise<void>;
  /** Drains a process, which is not started again. */
  endProcess(name: EngineProcess['name']): Promise<void>;
  /** Drains everything, the API first, PostgreSQL last. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, Temporal, migrations, seed, simulators, worker and API, each server in a process of its own that is
 * started again when it dies.
 * @throws UserError when something is in the way; everything that was started is stopped then
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir } = options;
  await prepareDataFolder(dataDir);
  const unlock = await lockDataFolder(dataDir);
  try {
    await stopLeftoverProcesses(dataDir, options.report ?? (() => undefined));
    if (options.fresh === true) await emptyDataFolder(dataDir);
    await checkPortsAreFree(portsToUse(options));
    return await startProcesses(options, await provideSecrets(dataDir), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startProcesses(options: StackOptions, secrets: Secrets, unlock: () => void): Promise<Stack> {
  const { dataDir, temporalAddress, report = () => undefined } = options;
  const temporalUi = temporalAddress == null ? await guardTemporalUi(options) : null;
  const supervisor = createSupervisor({ dataDir, report, order: stopOrder(options) });
  const { promise: aborted, reject: abort } = deferred();
  options.signal?.addEventListener('abort', () => abort(new UserError('Stopped before everything was started.')));
  const stopProcesses = async (): Promise<void> => {
    await supervisor.stop();
    await temporalUi?.close();
  };
  const stop = async (): Promise<void> => {
    await stopProcesses();
    unlock();
  };
  try {
    const sandbox = await Promise.race([startAll(options, secrets, supervisor, temporalUi?.place), aborted]);
    return {
      sandbox,
      superuserUrl: embeddedDatabaseUrl(options.ports.postgres, 'superuser', secrets.postgresPassword),
      restart: (name) => supervisor.restart(name),
      kill: (name, signal) => supervisor.kill(name, signal),
      whenReady: (name) => supervisor.whenReady(name),
      pidOf: (name) => supervisor.pidOf(name),
      startProcess: (engineProcess) => supervisor.start(specOf(engineProcess, options, secrets)),
      endProcess: (name) => supervisor.end(name),
      stop,
    };
  } catch (error) {
    await stopProcesses();
    throw error;
  }
}

/** Each process starts as soon as the ones that it needs are ready; the worker waits for Temporal by itself. */
async function startAll(
  options: StackOptions,
  secrets: Secrets,
  supervisor: Supervisor,
  temporalUi: ListeningPlace | undefined,
): Promise<Sandbox> {
  const { dataDir, demoPort, dashboardPorts, codecServerPort, report = () => undefined } = options;
  const sandbox = sandboxOf(options, secrets);
  const settings = engineSettings(options, secrets, sandbox);
  await mkdir(path.join(dataDir, 'simulators'), { recursive: true, mode: 0o700 });
  const databaseReady = startDatabase(options, secrets, supervisor).then(() =>
    migrateDatabase(sandbox, secrets, options),
  );
  const temporalCli = provideTemporalCli(options);
  await Promise.all([
    temporalCli.then((executable) => startTemporal(executable, temporalUi, options, supervisor)),
    ...simulatorSpecs(options, settings).map((spec) => supervisor.start(spec)),
    Promise.all([databaseReady, temporalCli]).then(async () => {
      report('Starting the worker and the API (2 to 6 seconds) …');
      await Promise.all([
        ...engineProcesses(options).map((each) => supervisor.start(specOf(each, options, secrets, options.release))),
        ...(options.companions ?? []).map((each) =>
          supervisor.start(companionSpec(each, settingsForOtherPrograms(options.settings), dataDir)),
        ),
        demoPort == null ? undefined : supervisor.start(demoSpec(demoPort, sandbox, settings, dataDir)),
        dashboardPorts == null ? undefined : supervisor.start(mailboxSpec(dashboardPorts, settings, dataDir)),
        dashboardPorts == null
          ? undefined
          : supervisor.start(
              dashboardSpec(
                dashboardPorts,
                sandbox.baseUrl,
                { ...settings, DATABASE_URL: databaseUrlFor('dashboard', options, secrets) },
                dataDir,
              ),
            ),
        codecServerPort == null
          ? undefined
          : supervisor.start(codecServerSpec(codecServerPort, sandbox.temporalUi, settings, dataDir)),
        seedDatabase(sandbox, secrets, settings, options),
      ]);
    }),
  ]);
  await writeSandbox(dataDir, sandbox);
  return sandbox;
}

/** How a process is run. @param release the folder of the release that it belongs to; this one's otherwise */
function specOf(engineProcess: EngineProcess, options: StackOptions, secrets: Secrets, release?: string): ChildSpec {
  const settings = engineSettings(options, secrets, sandboxOf(options, secrets));
  const databaseUrl = databaseUrlFor(engineProcess.kind, options, secrets);
  return engineProcessSpec(engineProcess, { ...settings, DATABASE_URL: databaseUrl }, options.dataDir, release);
}

function deferred(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

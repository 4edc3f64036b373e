import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { settingsForOtherPrograms } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { findOrFetchTemporalCli } from '../tools/temporal-cli.mjs';
import type { Sandbox, Secrets } from './data-folder.ts';
import { codecServerUrlOf } from './engine-processes.ts';
import { ensureDatabase, initializePostgres, postgresSpec, setRolePasswords } from './postgres.ts';
import { distOf, PROJECT_ROOT } from './project.ts';
import type { StackOptions } from './stack-options.ts';
import type { Supervisor } from './supervisor.ts';
import { keepHistories, temporalServerSpec } from './temporal-server.ts';
import type { ListeningPlace } from './ports.ts';

const run = promisify(execFile);

/** Starts the embedded PostgreSQL and makes its database, where no other database is given. */
export async function startDatabase(options: StackOptions, secrets: Secrets, supervisor: Supervisor): Promise<void> {
  if (options.databaseUrl != null) return;
  const { dataDir, settings, report = () => undefined } = options;
  const postgres = { dataDir, settings, port: options.ports.postgres, password: secrets.postgresPassword };
  const isNew = !existsSync(path.join(dataDir, 'postgres'));
  report(isNew ? 'Setting up PostgreSQL (about 5 seconds, once only) …' : 'Starting PostgreSQL …');
  await initializePostgres(postgres);
  await supervisor.start(await postgresSpec(postgres));
  await ensureDatabase(postgres, secrets.databasePasswords.owner);
}

/** Finds or fetches the program of the Temporal server; null where one runs already. @throws UserError naming what to install */
export async function provideTemporalCli(options: StackOptions): Promise<string | null> {
  const { temporalAddress, tools, settings, report = () => undefined } = options;
  if (temporalAddress != null) return null;
  const program = await findOrFetchTemporalCli({ tools, settings, report });
  if (program !== undefined) return program;
  throw new UserError(
    `A Temporal server is needed, and it can neither be downloaded nor built. Do one of these, then start again:\n` +
      `  - install the Temporal CLI (https://docs.temporal.io/cli#install), so that "temporal" is on the PATH\n` +
      `  - install Go 1.25 or later (https://go.dev/dl), with which it is built from its source\n` +
      `  - set TEMPORAL_ADDRESS to a Temporal server that runs already`,
  );
}

/** Starts the Temporal server. @param executable null where one runs already @param ui where its UI listens */
export async function startTemporal(
  executable: string | null,
  ui: ListeningPlace | undefined,
  options: StackOptions,
  supervisor: Supervisor,
): Promise<void> {
  if (executable === null || ui === undefined) return;
  const { dataDir, settings, ports, codecServerPort, report = () => undefined } = options;
  const { temporalNamespace: namespace = 'default' } = options;
  const isNew = !existsSync(path.join(dataDir, 'temporal.sqlite'));
  report('Starting the Temporal server (2 to 5 seconds) …');
  const codecServer = codecServerPort == null ? null : codecServerUrlOf(codecServerPort);
  const servers = { port: ports.temporal, ui, codecServer };
  const temporal = { executable, dataDir, settings: settingsForOtherPrograms(settings), namespace, ...servers };
  await supervisor.start(temporalServerSpec(temporal));
  if (isNew) await keepHistories(temporal);
}

/** Brings the tables up to date. Where the engine's processes have roles, these get their passwords. */
export async function migrateDatabase(
  { databaseUrl }: Sandbox,
  { databasePasswords }: Secrets,
  options: StackOptions,
): Promise<void> {
  const { release, hasRoles = options.databaseUrl == null, report = () => undefined } = options;
  if (release === undefined) await applyOwnMigrations(databaseUrl, report);
  else await runReleaseCommand(release, 'migrate', options, { DATABASE_URL: databaseUrl });
  if (hasRoles) await setRolePasswords(databaseUrl, databasePasswords);
}

async function applyOwnMigrations(url: string, report: (line: string) => void): Promise<void> {
  const directory = path.join(PROJECT_ROOT, 'prisma', 'migrations');
  const { applied } = await applyMigrations({ url, directory });
  if (applied.length > 0)
    report(`Applied ${applied.length} database migrations, the last one ${applied.at(-1) ?? ''}.`);
}

/**
 * Runs `npm run migrate` or `npm run seed` of a release.
 * @param release its folder
 * @param variables those of ours that the command is given
 */
export async function runReleaseCommand(
  release: string,
  command: 'migrate' | 'seed',
  { dataDir, settings }: Pick<StackOptions, 'dataDir' | 'settings'>,
  variables: Settings,
): Promise<void> {
  const program = path.join(distOf(release), 'scripts', `${command}.js`);
  const env = { ...settingsForOtherPrograms(settings), ...variables };
  await run(process.execPath, [program], { env, cwd: dataDir, timeout: 10 * MINUTE_MS });
}

/** Writes the sandbox's rows. Runs while the processes start: they need the tables only. @param settings of the engine's processes */
export async function seedDatabase(
  sandbox: Sandbox,
  secrets: Secrets,
  settings: Settings,
  options: StackOptions,
): Promise<void> {
  const { release, dataDir, report = () => undefined } = options;
  if (release === undefined) return seedAsThisRelease(sandbox, secrets, settings, report);
  await runReleaseCommand(release, 'seed', options, { DATABASE_URL: sandbox.databaseUrl, DATA_DIR: dataDir });
}

/** What it imports is loaded late, because that takes long. */
async function seedAsThisRelease(
  { databaseUrl, dashboard }: Sandbox,
  secrets: Secrets,
  settings: Settings,
  report: (line: string) => void,
): Promise<void> {
  const [{ createDatabase }, { sandboxKeyring }, { seedPeople, seedSandbox }, { enrolmentPath }] = await Promise.all([
    import('../../prisma/connection/client.ts'),
    import('./sandbox-keyring.ts'),
    import('./write-sandbox-data.ts'),
    import('../../prisma/stores/staff-enrolment.ts'),
  ]);
  const database = createDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const problem = await seedSandbox(database, secrets, await sandboxKeyring(secrets, settings));
    const enrolment = dashboard === undefined ? null : await seedPeople(database, dashboard.password);
    if (dashboard !== undefined && enrolment !== null)
      report(`Second factor for the console: ${dashboard.url}${enrolmentPath(enrolment)}`);
    if (problem !== null) report(problem);
  } finally {
    await database.$disconnect();
  }
}

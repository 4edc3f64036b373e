import { existsSync } from 'node:fs';
import path from 'node:path';
import { settingsForOtherPrograms } from '../../config/programs.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { provideTemporalCli } from '../tools/temporal-cli.ts';
import type { Sandbox, Secrets } from './data-folder.ts';
import { codecServerUrlOf } from './engine-processes.ts';
import { ensureDatabase, initializePostgres, postgresSpec, setRolePasswords } from './postgres.ts';
import { PROJECT_ROOT } from './project.ts';
import type { StackOptions } from './stack-options.ts';
import type { Supervisor } from './supervisor.ts';
import { keepHistories, temporalServerSpec } from './temporal-server.ts';

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

/** Finds the program of the Temporal server; null where one runs already. */
export async function findTemporalCli({ temporalAddress, tools, settings, report = () => undefined }: StackOptions) {
  return temporalAddress == null ? provideTemporalCli({ tools, settings, report }) : null;
}

/** Starts the Temporal server. @param executable null where one runs already */
export async function startTemporal(
  executable: string | null,
  options: StackOptions,
  supervisor: Supervisor,
): Promise<void> {
  if (executable === null) return;
  const { dataDir, settings, ports, codecServerPort, report = () => undefined } = options;
  const { temporalNamespace: namespace = 'default' } = options;
  const isNew = !existsSync(path.join(dataDir, 'temporal.sqlite'));
  report('Starting the Temporal server (2 to 5 seconds) …');
  const codecServer = codecServerPort == null ? null : codecServerUrlOf(codecServerPort);
  const servers = { port: ports.temporal, uiPort: ports.temporalUi, codecServer };
  const temporal = { executable, dataDir, settings: settingsForOtherPrograms(settings), namespace, ...servers };
  await supervisor.start(temporalServerSpec(temporal));
  if (isNew) await keepHistories(temporal);
}

/** Brings the tables up to date. In the embedded database, the roles of the engine's processes get their passwords. */
export async function migrateDatabase(
  { databaseUrl }: Sandbox,
  { databasePasswords }: Secrets,
  options: StackOptions,
): Promise<void> {
  const { ports, report = () => undefined } = options;
  const directory = path.join(PROJECT_ROOT, 'prisma', 'migrations');
  const { applied } = await applyMigrations({ url: databaseUrl, directory });
  if (applied.length > 0) report(`Applied database migrations: ${applied.join(', ')}.`);
  if (options.databaseUrl == null) await setRolePasswords(ports.postgres, databasePasswords);
}

/**
 * Writes the sandbox's rows. Runs while the processes start: they need the tables only. What it imports is loaded late, because
 * that takes long.
 */
export async function seedDatabase(
  { databaseUrl, apiKey, secretSalt, dashboard }: Sandbox,
  report: (line: string) => void = () => undefined,
): Promise<void> {
  const [{ createDatabase }, { seedPeople, seedSandbox }] = await Promise.all([
    import('../../prisma/client.ts'),
    import('./write-sandbox-data.ts'),
  ]);
  const database = createDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const problem = await seedSandbox(database, { apiKey, secretSalt });
    if (dashboard !== undefined) await seedPeople(database, dashboard.password);
    if (problem !== null) report(problem);
  } finally {
    await database.$disconnect();
  }
}

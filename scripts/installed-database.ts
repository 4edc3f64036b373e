import { readDatabaseUrl } from '../config/commands.ts';
import { readStartConfig } from '../config/sandbox.ts';
import { UserError } from '../domain/user-error.ts';
import { createDatabase, type Database } from '../prisma/connection/client.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { readRunningSandbox } from '../sandbox/stack/installation.ts';

/** Does work in the database of DATABASE_URL, or of `npm start` where that is not set. */
async function withInstalledDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = readStartConfig();
  const url = databaseUrl === null ? (await readRunningSandbox(dataDir)).databaseUrl : readDatabaseUrl();
  await waitForDatabase(url, { giveUpAfterMs: 0 });
  const database = createDatabase({ url, poolSize: 1 });
  try {
    await work(database);
  } finally {
    await database.$disconnect();
  }
}

/** Runs the named one of several commands in that database. @throws UserError with the usage where there is no such command */
export async function runNamedCommand<Options extends { readonly command: string }>(
  usage: string,
  commands: Readonly<Record<string, (database: Database, options: Options) => Promise<void>>>,
  options: Options,
): Promise<void> {
  const command = Object.hasOwn(commands, options.command) ? commands[options.command] : undefined;
  if (command === undefined) throw new UserError(usage);
  await withInstalledDatabase((database) => command(database, options));
}

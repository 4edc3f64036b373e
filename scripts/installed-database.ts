import { readDatabaseUrl } from '../config/engine.ts';
import { readStartConfig } from '../config/sandbox.ts';
import { UserError } from '../domain/user-error.ts';
import { createDatabase, type Database } from '../prisma/client.ts';
import { waitForDatabase } from '../prisma/wait-for-database.ts';
import { readSandbox } from '../sandbox/stack/data-folder.ts';

/** Does work in the database of DATABASE_URL, or of `npm start` where that is not set. */
export async function withInstalledDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = readStartConfig();
  const url = databaseUrl === null ? await readSandboxDatabaseUrl(dataDir) : readDatabaseUrl();
  await waitForDatabase(url, { giveUpAfterMs: 0 });
  const database = createDatabase({ url, poolSize: 1 });
  try {
    await work(database);
  } finally {
    await database.$disconnect();
  }
}

async function readSandboxDatabaseUrl(dataDir: string): Promise<string> {
  try {
    return (await readSandbox(dataDir)).databaseUrl;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`DATABASE_URL is not set. ${error.message}`);
  }
}

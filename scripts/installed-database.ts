import { readDatabaseUrl } from '../config/commands.ts';
import { readStartConfig } from '../config/sandbox.ts';
import { createDatabase, type Database } from '../prisma/client.ts';
import { waitForDatabase } from '../prisma/wait-for-database.ts';
import { readRunningSandbox } from '../sandbox/stack/installation.ts';

/** Does work in the database of DATABASE_URL, or of `npm start` where that is not set. */
export async function withInstalledDatabase(work: (database: Database) => Promise<void>): Promise<void> {
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

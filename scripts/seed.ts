import { describeDatabase } from '../config/connections.ts';
import { readDatabaseUrl } from '../config/commands.ts';
import { readStartConfig } from '../config/sandbox.ts';
import { createDatabase } from '../prisma/connection/client.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { prepareDataFolder, provideSecrets } from '../sandbox/stack/data-folder.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { sandboxKeyring } from '../sandbox/stack/sandbox-keyring.ts';
import { seedSandbox } from '../sandbox/stack/write-sandbox-data.ts';
import { refuseArguments } from './command-arguments.ts';

/** `npm run seed`: writes the sandbox's rows, with the key of the data folder, into the database of DATABASE_URL. */
await runScript(async () => {
  refuseArguments('seed');
  const { dataDir } = readStartConfig();
  await prepareDataFolder(dataDir);
  const secrets = await provideSecrets(dataDir);
  const url = readDatabaseUrl();
  await waitForDatabase(url, { giveUpAfterMs: 0 });
  const database = createDatabase({ url, poolSize: 1 });
  try {
    const problem = await seedSandbox(database, secrets, await sandboxKeyring(secrets));
    if (problem !== null) console.log(problem);
  } finally {
    await database.$disconnect();
  }
  console.log(`Seeded the sandbox in ${describeDatabase(url)}.`);
  console.log(`API key      ${secrets.apiKey}\nSecret salt  ${secrets.secretSalt}`);
});

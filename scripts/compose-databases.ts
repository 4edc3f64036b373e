import path from 'node:path';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { prepareDatabases } from './compose/databases.ts';
import { provideComposeSecrets, SUPERUSER } from './compose/secrets.ts';

/** Makes users and databases on the PostgreSQL server of compose, before the migrations of the engine and of Temporal. */
await runScript(async () => {
  const [folder, server] = process.argv.slice(2);
  if (folder === undefined || server === undefined) {
    throw new UserError('Use: node dist/scripts/compose-databases.js FOLDER HOST:PORT');
  }
  const { passwords } = await provideComposeSecrets(path.join(folder, 'all', 'secrets.json'));
  await prepareDatabases(`postgresql://${SUPERUSER}:${passwords.superuser}@${server}/postgres`, passwords);
  console.log(`The databases on ${server} are ready.`);
});

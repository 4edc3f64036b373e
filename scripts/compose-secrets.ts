import path from 'node:path';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { provideComposeSecrets, writeParts } from './compose/secrets.ts';

/** Makes the secrets of an installation by compose where they are missing, and gives each process its own: the first step of `docker compose up`. */
await runScript(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new UserError('Use: node dist/scripts/compose-secrets.js FOLDER');
  await writeParts(folder, await provideComposeSecrets(path.join(folder, 'all', 'secrets.json')));
  console.log(`The secrets are in ${folder}.`);
});

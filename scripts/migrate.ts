import path from 'node:path';
import { describeDatabase } from '../config/connections.ts';
import { readDatabaseUrl } from '../config/commands.ts';
import { applyMigrations } from '../prisma/migrate.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { refuseArguments } from './command-arguments.ts';

await runScript(async () => {
  refuseArguments('migrate');
  const directory = path.join(PROJECT_ROOT, 'prisma', 'migrations');
  const url = readDatabaseUrl();
  console.log(`Database ${describeDatabase(url)}`);
  const { applied, missingRoles } = await applyMigrations({ url, directory });
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  if (missingRoles.length === 0) return;
  const statements = missingRoles.map((name) => `  CREATE ROLE ${name} NOLOGIN;`).join('\n');
  console.warn(
    `The user of DATABASE_URL may not create roles. To give each process only the rights that it needs, run this as an administrator, then npm run migrate again:\n${statements}`,
  );
});

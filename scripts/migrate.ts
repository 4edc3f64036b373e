import path from 'node:path';
import { readDatabaseUrl } from '../config/engine.ts';
import { applyMigrations } from '../prisma/migrate.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';

await runScript(async () => {
  const directory = path.join(PROJECT_ROOT, 'prisma', 'migrations');
  const applied = await applyMigrations({ url: readDatabaseUrl(), directory });
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
});

import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { withEarlierRelease } from '../../cluster/earlier-release.ts';
import { UserError } from '../../domain/user-error.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { runConformanceProgram } from './run-program.ts';

const MIGRATIONS = path.join('prisma', 'migrations');

/**
 * Runs the end-to-end tests of an earlier release on a database with the present migrations: during an upgrade its processes go
 * on with them. The earlier release is built in a folder of its own, which is removed afterwards.
 * @param args the release as git knows it, and words of the titles of tests if only some are to run
 */
export async function checkUpgrade(folder: string, [revision, ...words]: readonly string[]): Promise<number> {
  if (revision === undefined) {
    throw new UserError(`Name the earlier release: npm run check:upgrade -- REVISION ["words of a test's title"]`);
  }
  return withEarlierRelease(path.join(folder, 'earlier-release'), revision, async (place) => {
    const added = await addMigrations(place);
    console.log(`The tests of ${revision} run with ${added.length} more migrations: ${added.join(', ')}.`);
    return runConformanceProgram('npm', ['test', '--', 'end-to-end', ...words], {}, place);
  });
}

/** @returns the names of the migrations that the earlier release did not have */
async function addMigrations(earlier: string): Promise<readonly string[]> {
  const [before, now] = await Promise.all([namesIn(earlier), namesIn(PROJECT_ROOT)]);
  for (const name of before) {
    const [then, present] = await Promise.all([readMigration(earlier, name), readMigration(PROJECT_ROOT, name)]);
    if (then !== present)
      throw new UserError(`The migration ${name} has changed since then: an installation refuses it.`);
  }
  const added = now.filter((name) => !before.includes(name));
  for (const name of added) {
    await cp(path.join(PROJECT_ROOT, MIGRATIONS, name), path.join(earlier, MIGRATIONS, name), { recursive: true });
  }
  return added;
}

async function namesIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(root, MIGRATIONS), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The statements of a migration; null where there is none of that name. */
function readMigration(root: string, name: string): Promise<string | null> {
  return readFile(path.join(root, MIGRATIONS, name, 'migration.sql'), 'utf8').catch(() => null);
}

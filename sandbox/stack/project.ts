import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, whether this runs compiled (below `dist`) or not. */
export const PROJECT_ROOT: string = findRoot(path.dirname(fileURLToPath(import.meta.url)));

/** Where the compiled programs are. */
export const DIST_DIR: string = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Where the compiled programs of a release are. @param release its folder; this one's otherwise */
export function distOf(release: string | undefined): string {
  return release === undefined ? DIST_DIR : path.join(release, 'dist');
}

function findRoot(directory: string): string {
  const parent = path.dirname(directory);
  return existsSync(path.join(directory, 'package.json')) || parent === directory ? directory : findRoot(parent);
}

import { readdirSync } from 'node:fs';

/** The documents of the project, by their names below its root. */
export const DOCUMENTS: readonly string[] = [
  ...readdirSync('.'),
  ...['docs', 'sdk'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
]
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !/\/(node_modules|dist)\//.test(name))
  .sort();

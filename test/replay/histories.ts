import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Stored beside the sources; compiled tests run from the project's folder. */
export const HISTORIES_DIRECTORY = path.resolve('test/replay/histories');

/** Every recorded history, as the JSON that Temporal's tools export. */
export async function readHistories(): Promise<ReadonlyMap<string, object>> {
  const files = (await readdir(HISTORIES_DIRECTORY)).filter((file) => file.endsWith('.json')).sort();
  const histories = await Promise.all(
    files.map(async (file) => {
      const history: unknown = JSON.parse(await readFile(path.join(HISTORIES_DIRECTORY, file), 'utf8'));
      if (typeof history !== 'object' || history === null) throw new TypeError(`${file} holds no history`);
      return [path.basename(file, '.json'), history] as const;
    }),
  );
  return new Map(histories);
}

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { Database } from '../../prisma/connection/client.ts';
import { createSecretFinder, type Secret } from './secrets.ts';
import type { SecretSearch } from './snapshot.ts';

export interface SecretSearchOptions {
  readonly secrets: readonly Secret[];
  readonly clientSecrets: ReadonlySet<string>;
  readonly dataDir: string;
  readonly webhookRecordFile: string;
  readonly database: Database;
  readonly temporal: Client;
  /** Whether the files of Temporal's development server are in the data folder. */
  readonly hasTemporalFiles: boolean;
  /** The workflows whose histories are read event by event; other histories are searched in the server's own file. */
  readonly workflowIds: readonly string[];
}

/** Text that every place contains; without it, the place was not read properly. */
const EXPECTED_TEXT = 'pi_';
/** The server's own files; the engine's are searched as logs, tables and webhooks. */
const TEMPORAL_FILES = ['temporal.sqlite', 'temporal.sqlite-wal'];
const HISTORIES_AT_ONCE = 8;

/** Searches the raw bytes of everything that a run stored or logged. */
export async function searchSecrets(options: SecretSearchOptions): Promise<SecretSearch> {
  const { dataDir, database, temporal, webhookRecordFile, hasTemporalFiles } = options;
  const temporalFiles = TEMPORAL_FILES.map((name) => path.join(dataDir, name));
  const find = createSecretFinder(options.secrets, options.clientSecrets);
  const leaks = new Map<string, { place: string; what: string }>();
  const search = (place: string, text: string): boolean => {
    for (const what of find(text)) leaks.set(`${place} ${what}`, { place, what });
    return text.includes(EXPECTED_TEXT);
  };
  const searched = [
    { place: 'the logs', isFilled: await searchFiles(await logFiles(dataDir), search) },
    { place: 'the webhooks', isFilled: await searchFiles([webhookRecordFile], search) },
    ...(hasTemporalFiles ? [{ place: "Temporal's files", isFilled: await searchFiles(temporalFiles, search) }] : []),
    { place: 'the tables', isFilled: await searchTables(database, search) },
    { place: 'the histories', isFilled: await searchHistories(temporal, options.workflowIds, search) },
  ];
  return {
    leaks: [...leaks.values()],
    emptyPlaces: searched.filter(({ isFilled }) => !isFilled).map(({ place }) => place),
  };
}

/** @returns whether the text contains `EXPECTED_TEXT` */
type Search = (place: string, text: string) => boolean;

async function logFiles(dataDir: string): Promise<readonly string[]> {
  const folder = path.join(dataDir, 'logs');
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

async function searchFiles(files: readonly string[], search: Search): Promise<boolean> {
  let isFilled = false;
  for (const file of files.filter((each) => existsSync(each))) {
    // As Latin-1, which maps every byte to one character.
    isFilled = search(path.basename(file), await readFile(file, 'latin1')) || isFilled;
  }
  return isFilled;
}

async function searchTables(database: Database, search: Search): Promise<boolean> {
  let isFilled = false;
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  for (const { name } of tables) {
    // The name comes from the catalogue of the database itself.
    const rows = await database.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM "${name}" t`);
    for (const { text } of rows) isFilled = search(`the table ${name}`, text) || isFilled;
  }
  return isFilled;
}

async function searchHistories(temporal: Client, workflowIds: readonly string[], search: Search): Promise<boolean> {
  let isFilled = false;
  const waiting = [...workflowIds];
  const work = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const history = await temporal.workflow.getHandle(id).fetchHistory();
      isFilled = search(`the history of ${id}`, textOf(history)) || isFilled;
    }
  };
  await Promise.all(Array.from({ length: HISTORIES_AT_ONCE }, work));
  return isFilled;
}

/** A history as JSON, with its payloads decoded to text. */
function textOf(history: object): string {
  return JSON.stringify(history, (_name, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    // JSON.stringify has already replaced buffers by their JSON form.
    return isBufferJson(value) ? Buffer.from(value.data).toString('utf8') : value;
  });
}

function isBufferJson(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}

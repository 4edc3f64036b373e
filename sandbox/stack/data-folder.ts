import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';
import { publicKeyOf } from '../../vault/card-keys.ts';
import { acquireLock } from './lock-file.mjs';
import { writeDurably } from './write-durably.ts';

const databasePasswordsSchema = z.object({
  /** Of the role that owns the database and applies migrations. */
  owner: z.string(),
  api: z.string(),
  worker: z.string(),
  gateway: z.string(),
  dashboard: z.string(),
});
const simulatorSecretsSchema = z.object({ apiKey: z.string(), webhookSecret: z.string() });

/** The secrets of the sandbox, made once and kept in the data folder. */
const secretsSchema = z.object({
  /** Of PostgreSQL's superuser. */
  postgresPassword: z.string(),
  databasePasswords: databasePasswordsSchema,
  vaultKeys: z.string(),
  /** The private card keys, for workers, and the public one for APIs. */
  cardKeys: z.string(),
  cardPublicKey: z.string(),
  simulators: z.object({ alpha: simulatorSecretsSchema, beta: simulatorSecretsSchema }),
  apiKey: z.string(),
  secretSalt: z.string(),
  /** Signs the sessions of the dashboard. */
  dashboardSecret: z.string(),
  /** Of the person who owns the sandbox's merchant. */
  personPassword: z.string(),
});
export type Secrets = Readonly<z.infer<typeof secretsSchema>>;

const sandboxSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  secretSalt: z.string(),
  /** Of the key. */
  signatureVersion: z.union([z.literal(1), z.literal(2)]),
  merchantId: z.string(),
  temporalAddress: z.string(),
  temporalUi: z.string(),
  databaseUrl: z.string(),
  simulators: z.array(z.object({ name: z.string(), url: z.string() })),
  /** The dashboard, with who can sign in and the mailbox; absent where there is none. */
  dashboard: z.object({ url: z.string(), email: z.string(), password: z.string(), mailbox: z.string() }).optional(),
});
/** The content of `sandbox.json`: all that a client of the sandbox needs. */
export type Sandbox = Readonly<Omit<z.infer<typeof sandboxSchema>, 'dashboard'>> & {
  readonly dashboard?: NonNullable<z.infer<typeof sandboxSchema>['dashboard']>;
};

const SANDBOX_FILE = 'sandbox.json';
const SECRETS_FILE = 'secrets.json';
const LOCK_FILE = 'start.lock';
/** The database of the Temporal server, with SQLite's files beside it. */
export const TEMPORAL_FILES = [
  'temporal.sqlite',
  'temporal.sqlite-wal',
  'temporal.sqlite-shm',
  'temporal.sqlite-journal',
] as const;

/** What the user can do about damaged data. */
export const KEEP_OR_DELETE_DATA =
  'To keep the data for a repair, move the folder aside and start again; to delete it and begin with empty data: npm start -- --fresh';

/**
 * Makes the folder, and closes it and what is in it to other users.
 * @throws UserError when it belongs to another user
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir, PRIVATE_FOLDER);
  const { uid, mode } = await stat(dataDir);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new UserError(
      `The data folder ${dataDir} belongs to another user, who could read and replace what is in it. Set DATA_DIR to a folder of your own.`,
    );
  }
  // Of root's folder, the group is that of PostgreSQL's user, who passes through.
  await chmod(dataDir, uid === 0 ? (mode & TRAVERSAL_BY_GROUP) | PRIVATE_FOLDER : PRIVATE_FOLDER);
  await closeToOthers(dataDir);
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const TRAVERSAL_BY_GROUP = 0o010;
/** PostgreSQL closes what is in these folders by itself. */
const POSTGRES_FOLDERS: readonly string[] = ['postgres', 'postgres.new'];

async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      await chmod(place, PRIVATE_FOLDER);
      if (!POSTGRES_FOLDERS.includes(entry.name)) await closeToOthers(place);
    } else if (entry.isFile()) {
      // Files of locks come and go.
      await chmod(place, PRIVATE_FILE).catch(ignoreMissing);
    }
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

/** One level after the other: where the system lets nobody make a folder (/proc), Node's recursive `mkdir` never returns. */
async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const parent = path.dirname(folder);
  if (parent !== folder && !existsSync(parent)) await makeFolder(parent);
  await mkdir(folder, { mode }).catch(async (error: unknown) => {
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  });
}

/** Deletes everything in the folder except the lock that is held. */
export async function emptyDataFolder(dataDir: string): Promise<void> {
  const names = ['postgres', 'postgres.new', 'logs', 'simulators', SANDBOX_FILE, SECRETS_FILE];
  for (const name of [...names, ...TEMPORAL_FILES])
    await rm(path.join(dataDir, name), { recursive: true, force: true });
}

/** Locks the folder for this process; resolves with what unlocks it. @throws UserError when another process has it */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  const lock = await acquireLock(path.join(dataDir, LOCK_FILE));
  if (!('release' in lock)) throw alreadyRuns(lock.heldBy);
  return lock.release;
}

function alreadyRuns(pid: number): UserError {
  return new UserError(
    `The payment engine already runs with this data folder, as process ${pid}. Use that one, or stop it first: kill ${pid}`,
  );
}

/** The sandbox's secrets, made at the first start. */
export async function provideSecrets(dataDir: string): Promise<Secrets> {
  const file = path.join(dataDir, SECRETS_FILE);
  if (existsSync(file)) return readJson(file, secretsSchema);
  if (existsSync(path.join(dataDir, 'postgres'))) throw damaged(file);
  const secrets = {
    postgresPassword: newPassword(),
    databasePasswords: newDatabasePasswords(),
    vaultKeys: `sandbox-1:${randomBytes(32).toString('base64')}`,
    ...newCardKeys(),
    simulators: { alpha: newSimulatorSecrets(), beta: newSimulatorSecrets() },
    apiKey: `svc_test_${randomBytes(24).toString('base64url')}`,
    secretSalt: randomBytes(32).toString('base64url'),
    ...newDashboardSecrets(),
  };
  await writeSecrets(file, secrets);
  return secrets;
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function newDatabasePasswords(): Secrets['databasePasswords'] {
  return {
    owner: newPassword(),
    api: newPassword(),
    worker: newPassword(),
    gateway: newPassword(),
    dashboard: newPassword(),
  };
}

function newDashboardSecrets(): Pick<Secrets, 'dashboardSecret' | 'personPassword'> {
  return { dashboardSecret: newPassword(), personPassword: randomBytes(12).toString('base64url') };
}

function newCardKeys(): Pick<Secrets, 'cardKeys' | 'cardPublicKey'> {
  const key = { id: 'sandbox-1', bytes: randomBytes(32) };
  return { cardKeys: `${key.id}:${key.bytes.toString('base64')}`, cardPublicKey: publicKeyOf(key) };
}

function newSimulatorSecrets(): z.infer<typeof simulatorSecretsSchema> {
  return {
    apiKey: `sim_${randomBytes(24).toString('base64url')}`,
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  };
}

function writeSecrets(file: string, secrets: Secrets): Promise<void> {
  return writeDurably(file, JSON.stringify(secrets, null, 2));
}

export function sandboxFileOf(dataDir: string): string {
  return path.join(dataDir, SANDBOX_FILE);
}

export function writeSandbox(dataDir: string, sandbox: Sandbox): Promise<void> {
  return writeDurably(sandboxFileOf(dataDir), `${JSON.stringify(sandbox, null, 2)}\n`);
}

/** @throws UserError when the engine was never started with that folder */
export async function readSandbox(dataDir: string): Promise<Sandbox> {
  const file = sandboxFileOf(dataDir);
  if (!existsSync(file))
    throw new UserError(`There is no ${file}. Start the engine first, in another terminal: npm start`);
  const { dashboard, ...sandbox } = await readJson(file, sandboxSchema);
  return dashboard === undefined ? sandbox : { ...sandbox, dashboard };
}

async function readJson<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.output<Schema>> {
  const text = await readFile(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw damaged(file);
  }
}

function damaged(file: string): UserError {
  return new UserError(
    `The data folder is damaged: ${file} is missing or cannot be understood. ${KEEP_OR_DELETE_DATA}`,
  );
}

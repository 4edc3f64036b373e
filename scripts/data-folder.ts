import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isRunning, processStartedAt } from './processes.ts';
import { SentenceError } from '../domain/sentence-error.ts';

/** What the sandbox keeps secret; made once and kept in the data folder. */
const secretsSchema = z.object({
  postgresPassword: z.string(),
  vaultKeys: z.string(),
  simulatorApiKey: z.string(),
  simulatorWebhookSecret: z.string(),
  apiKey: z.string(),
  secretSalt: z.string(),
});
export type Secrets = Readonly<z.infer<typeof secretsSchema>>;

const sandboxSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  secretSalt: z.string(),
  merchantId: z.string(),
  temporalAddress: z.string(),
  temporalUi: z.string(),
  databaseUrl: z.string(),
  simulators: z.array(z.object({ name: z.string(), url: z.string() })),
});
/** The content of `sandbox.json`: all that a client of the sandbox needs. */
export type Sandbox = Readonly<z.infer<typeof sandboxSchema>>;

const lockSchema = z.object({ pid: z.number(), startedAt: z.string() });
const SANDBOX_FILE = 'sandbox.json';
const SECRETS_FILE = 'secrets.json';
const LOCK_FILE = 'start.lock';

/** Makes the folder, open to its owner only. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
}

/** Deletes everything in the folder except the lock that is held. */
export async function emptyDataFolder(dataDir: string): Promise<void> {
  const names = ['postgres', 'postgres.new', 'logs', 'simulators', SANDBOX_FILE, SECRETS_FILE];
  const temporal = ['', '-wal', '-shm', '-journal'].map((suffix) => `temporal.sqlite${suffix}`);
  for (const name of [...names, ...temporal]) await rm(path.join(dataDir, name), { recursive: true, force: true });
}

/** Takes the folder for this process. @throws SentenceError when another one that runs has it */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const file = path.join(dataDir, LOCK_FILE);
  const draft = `${file}.${process.pid}`;
  await writeDurably(draft, JSON.stringify({ pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' }));
  try {
    // A link comes into being whole and only where there is none: of two starts at once, one gets it.
    await link(draft, file).catch(async (error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
      await refuseIfHeld(file);
      await rm(file, { force: true });
      await link(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(file, { force: true });
}

async function refuseIfHeld(file: string): Promise<void> {
  const holder = await readJson(file, lockSchema).catch(() => undefined);
  if (holder === undefined || !isRunning(holder)) return;
  throw new SentenceError(
    `The payment engine already runs with this data folder, as process ${holder.pid}. Use that one, or stop it first: kill ${holder.pid}`,
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The sandbox's secrets, made at the first start. */
export async function provideSecrets(dataDir: string): Promise<Secrets> {
  const file = path.join(dataDir, SECRETS_FILE);
  if (existsSync(file)) return readJson(file, secretsSchema);
  if (existsSync(path.join(dataDir, 'postgres'))) throw damaged(file);
  const secrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    vaultKeys: `sandbox-1:${randomBytes(32).toString('base64')}`,
    simulatorApiKey: `sim_${randomBytes(24).toString('base64url')}`,
    simulatorWebhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    apiKey: `svc_test_${randomBytes(24).toString('base64url')}`,
    secretSalt: randomBytes(32).toString('base64url'),
  };
  await writeDurably(file, JSON.stringify(secrets, null, 2));
  return secrets;
}

export function writeSandbox(dataDir: string, sandbox: Sandbox): Promise<void> {
  return writeDurably(path.join(dataDir, SANDBOX_FILE), `${JSON.stringify(sandbox, null, 2)}\n`);
}

/** @throws SentenceError when the engine was never started with that folder */
export async function readSandbox(dataDir: string): Promise<Sandbox> {
  const file = path.join(dataDir, SANDBOX_FILE);
  if (!existsSync(file))
    throw new SentenceError(`There is no ${file}. Start the engine first, in another terminal: npm start`);
  return readJson(file, sandboxSchema);
}

async function readJson<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.output<Schema>> {
  const text = await readFile(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw damaged(file);
  }
}

function damaged(file: string): SentenceError {
  return new SentenceError(
    `The data folder is damaged: ${file} is missing or cannot be understood. To begin with empty data: npm start -- --fresh`,
  );
}

/** Whole or not at all, also through a power cut; readable by the owner only. */
async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

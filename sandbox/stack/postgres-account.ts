import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { SECOND_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';

/** The user as which PostgreSQL runs: it refuses to run as root. */
export interface PostgresAccount {
  /** The owner of its files; null means the current user. */
  readonly ids: Ids | null;
  /** Options for `spawn`. */
  readonly spawnIds: { readonly uid?: number; readonly gid?: number };
  /** A program, with arguments, that runs it as that user; empty where `spawn` does. */
  readonly wrapper: readonly string[];
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);
const LIMIT = { timeout: 10 * SECOND_MS };
const USER = 'postgres';

/**
 * Finds, or makes, the account for PostgreSQL. A root user's folders are often closed to everyone else; then the program
 * runs as the other user with the one privilege it needs to pass through them.
 * @throws UserError when there is no way
 */
export async function findPostgresAccount(program: string, dataDir: string): Promise<PostgresAccount> {
  if (process.platform === 'win32' || currentUid() !== 0) return { ids: null, spawnIds: {}, wrapper: [] };
  const ids = (await readIds()) ?? (await createUser());
  const { uid, gid } = ids;
  await allowTraversal(dataDir, gid);
  const direct: PostgresAccount = { ids, spawnIds: { uid, gid }, wrapper: [] };
  const accounts = [direct, ...PRIVILEGES.map((privilege) => withPrivilege(ids, privilege))];
  for (const account of accounts) if (await canReach(account, program, dataDir)) return account;
  throw new UserError(
    `PostgreSQL does not run as root, and its user "${USER}" may not enter ${dataDir}. Start as an ordinary user, or clone to a folder that others may enter.`,
  );
}

/** @throws UserError for a user without a name, as a container may have: PostgreSQL does not start as such a user */
function currentUid(): number {
  try {
    return userInfo().uid;
  } catch {
    throw new UserError(
      `PostgreSQL needs a user that /etc/passwd names, and user ${String(process.getuid?.())} is not there. Start as another user, or set DATABASE_URL.`,
    );
  }
}

/** What passes through folders that are closed to everyone else; containers often have the second one only. */
const PRIVILEGES = ['dac_read_search', 'dac_override'] as const;

function withPrivilege({ uid, gid }: Ids, privilege: (typeof PRIVILEGES)[number]): PostgresAccount {
  return {
    ids: { uid, gid },
    spawnIds: {},
    wrapper: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // Without this, the check "may I run this?" is made without the privilege.
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${privilege}`,
      `--ambient-caps=+${privilege}`,
    ],
  };
}

/** Lets the user pass through the data folder, but not list it. */
async function allowTraversal(dataDir: string, gid: number): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  await chown(dataDir, uid, gid);
  await chmod(dataDir, (mode & 0o777) | 0o010);
}

async function readIds(): Promise<Ids | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (option) => Number((await run('id', [option, USER], LIMIT)).stdout)),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<Ids> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', USER], LIMIT);
  } catch {
    // Some systems have no useradd; the next line finds out.
  }
  const ids = await readIds();
  if (ids !== undefined) return ids;
  throw new UserError(
    `PostgreSQL does not run as root, and no user "${USER}" could be made for it. Start as an ordinary user, or make that user.`,
  );
}

async function canReach(account: PostgresAccount, program: string, dataDir: string): Promise<boolean> {
  const check = ['/bin/sh', '-c', 'cd "$1" && [ -x "$2" ] && "$2" --version', 'sh', dataDir, program];
  const [command = '', ...args] = [...account.wrapper, ...check];
  try {
    await run(command, args, { ...LIMIT, ...account.spawnIds, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

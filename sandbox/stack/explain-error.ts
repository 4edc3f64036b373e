import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';

const DATABASE_UNREACHABLE = 'The database does not answer. Check DATABASE_URL, and that the server runs.';

const MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space, then start again.',
  EDQUOT: 'Your disk quota is used up. Free some space, then start again.',
  EROFS: 'The disk is read-only. Set DATA_DIR to a folder that can be written to.',
  EACCES:
    'A file or folder cannot be written to. Check that the data folder belongs to you, or set DATA_DIR to another one.',
  EPERM:
    'A file or folder cannot be written to. Check that the data folder belongs to you, or set DATA_DIR to another one.',
  EEXIST: 'There is a file where the data folder should be. Remove it, or set DATA_DIR to another place.',
  ENOTDIR: 'There is a file where the data folder should be. Remove it, or set DATA_DIR to another place.',
  ENOENT: 'The data folder cannot be made there. Set DATA_DIR to a folder that can be written to.',
  EADDRINUSE: 'A port is in use. Stop what listens there, or choose another port.',
  ECONNREFUSED: DATABASE_UNREACHABLE,
  ENOTFOUND: DATABASE_UNREACHABLE,
  ETIMEDOUT: DATABASE_UNREACHABLE,
  '28P01': 'The database refuses the user or the password. Check DATABASE_URL.',
  '3D000': 'The database that DATABASE_URL names does not exist. Create it, or name another one.',
  '42501':
    'The user of DATABASE_URL lacks a right. Name the user who owns the database and its tables; a new database needs: ALTER DATABASE name OWNER TO user;',
  P2021: 'The database has no tables yet. Run this first: npm run migrate',
  EMFILE: 'Too many files are open. Raise the limit with "ulimit -n 4096", then start again.',
};

/** An error of Prisma that holds PostgreSQL's. */
const prismaErrorSchema = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.string() }) }) }),
});

/** The message for an error that the user can fix; undefined for any other. */
export function userMessageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UserError) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = MESSAGES[code] ?? MESSAGES[databaseCodeOf(error)];
  if (message === undefined) return undefined;
  return `${message}${placeOf(error)}`;
}

function placeOf(error: Error): string {
  if ('path' in error && typeof error.path === 'string') return ` (${error.path})`;
  return 'code' in error && error.code === 'EADDRINUSE' && 'port' in error ? ` (port ${String(error.port)})` : '';
}

function databaseCodeOf(error: Error): string {
  const parsed = prismaErrorSchema.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.originalCode : '';
}

/** Runs a command: an error that the user can fix is printed as its message, any other in one line; both end with exit code 1. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  // The reader of the output may end, as `head` does; the command finishes what it has begun.
  process.stdout.on('error', () => undefined);
  try {
    await script();
  } catch (error) {
    process.stderr.write(`${userMessageOf(error) ?? `Failed unexpectedly: ${String(error)}`}\n`);
    process.exitCode = 1;
  }
}

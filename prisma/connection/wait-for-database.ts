import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UserError } from '../../domain/user-error.ts';
import { SECOND_MS } from '../../domain/time.ts';

interface WaitOptions {
  /** How long to retry while the database may still be starting, or being migrated. */
  readonly giveUpAfterMs: number;
}

const DEFAULTS: WaitOptions = { giveUpAfterMs: 30 * SECOND_MS };
const TRY_EVERY_MS = 250;
const TRY_TIMEOUT_MS = 5 * SECOND_MS;

/** PostgreSQL's error codes after which a retry cannot help. */
const FINAL: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user or the password. Check DATABASE_URL.',
  '28000': 'refuses the user or the way it connects. Check DATABASE_URL.',
  '3D000': 'does not have the database that DATABASE_URL names. Create it, or name another one.',
};
const NO_TABLES = '42P01';
const NO_PRIVILEGE = '42501';

/**
 * Resolves as soon as the database answers and has its tables.
 * @throws UserError that says what to repair: at once when the database rejects the connection, otherwise when the time is over
 */
export async function waitForDatabase(url: string, { giveUpAfterMs } = DEFAULTS): Promise<void> {
  const deadline = Date.now() + giveUpAfterMs;
  for (;;) {
    const failure = await tryDatabase(url);
    if (failure === null) return;
    if (failure.code in FINAL || Date.now() > deadline) throw new UserError(messageOf(failure, hostOf(url)));
    await sleep(TRY_EVERY_MS);
  }
}

interface Failure {
  readonly code: string;
  readonly reason: string;
}

async function tryDatabase(connectionString: string): Promise<Failure | null> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: TRY_TIMEOUT_MS,
    query_timeout: TRY_TIMEOUT_MS,
  });
  // If a connection breaks between two steps, the next step reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1 FROM event_counter LIMIT 1');
    return null;
  } catch (error) {
    return failureOf(error);
  } finally {
    client.end().catch(() => undefined);
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: '', reason: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, reason: error.message || code };
}

function messageOf({ code, reason }: Failure, place: string): string {
  const final = FINAL[code];
  if (final !== undefined) return `The database server at ${place} ${final}`;
  if (code === NO_TABLES) return 'The database has no tables yet. Run this first: npm run migrate';
  if (code === NO_PRIVILEGE) {
    return 'The user of DATABASE_URL may not read the tables. Run this as their owner: npm run migrate. See docs/operations/postgresql.md for the role of each process.';
  }
  return `The database at ${place} does not answer (${reason}). Check DATABASE_URL, and that the server runs.`;
}

/** Host and port only: the rest of the URL holds the password. */
function hostOf(url: string): string {
  return new URL(url).host;
}

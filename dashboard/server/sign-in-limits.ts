import { hash } from 'node:crypto';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../domain/api-error.ts';
import { callersOfAddress } from '../../domain/ip-address.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/**
 * Attempts in 15 minutes for one e-mail address. Whoever knows it can use its limit up, but only for so long, and not in browsers in
 * which somebody has signed in with it before.
 */
const PER_ACCOUNT = { password: 10, mail: 5 } as const;
/** Wrong passwords and codes in 15 minutes in the sessions of one person: who has taken one over guesses no further. */
const PER_PERSON = 10;
/** Attempts in 15 minutes from one IPv4 address, or one /56 network in IPv6; a /48 network has four times as many. */
const PER_ADDRESS = 100;
const WINDOW_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
/** Longer than an authenticator's code is accepted: 30 seconds, and as long before and after. */
const CODE_SECONDS = (2 * MINUTE_MS) / SECOND_MS;
const POOL_SIZE = 2;
const TIMEOUT_MS = 5 * SECOND_MS;

/** What a request is counted as: one that guesses a password or a code, or one that has a mail sent. */
export type AttemptKind = keyof typeof PER_ACCOUNT;

/** A request to sign in, or to change how one does. */
interface Attempt {
  readonly kind: AttemptKind;
  readonly address: string;
  /** The e-mail address in the request; undefined where it has none. */
  readonly email?: string | undefined;
  /** A browser in which the right password of the address was given before: it has attempts of its own. */
  readonly browser?: string | undefined;
  /** The person of the session in which somebody guesses; undefined without one. */
  readonly personId?: string | undefined;
}

/** A refusal by a limit. */
export class LockedOut extends ApiError {
  /** Whether it is the first in its time, and not one of the network, which is nobody's. */
  readonly isFirstOfPerson: boolean;

  constructor(retryAfterSeconds: number, isFirstOfPerson: boolean) {
    super('RATE_LIMIT_EXCEEDED', {
      message: `Too many attempts of this person, with this e-mail address, or from this network. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
      retryAfterSeconds,
    });
    this.isFirstOfPerson = isFirstOfPerson;
  }
}

/** Limits against guessing and against mails to strangers, over all processes. */
export interface SignInLimits {
  /** Counts an attempt; resolves with what takes it back when it succeeds. @throws LockedOut */
  count(attempt: Attempt): Promise<() => Promise<void>>;
  /** Uses a right code of a person's authenticator up; false where it was used before. */
  useCode(personId: string, code: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Counts in PostgreSQL; without it nobody can sign in anyway. */
export function openSignInLimits(databaseUrl: string, onError: (error: Error) => void): SignInLimits {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
  });
  pool.on('error', onError);
  const limiter = (keyPrefix: string, points: number, duration = WINDOW_SECONDS) =>
    new RateLimiterPostgres({
      points,
      keyPrefix,
      duration,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
    });
  // The key of a network has its size, so that limits of different sizes can share the prefix.
  const byNetwork = [1, 4].map((factor) => limiter('sign-in-address', PER_ADDRESS * factor));
  const networksOf = (address: string) =>
    callersOfAddress(address).flatMap(({ caller }, index) => {
      const each = byNetwork[index];
      return each === undefined ? [] : [[each, caller] as const];
    });
  const byAccount = {
    password: limiter('sign-in-password', PER_ACCOUNT.password),
    mail: limiter('sign-in-mail', PER_ACCOUNT.mail),
  };
  const byBrowser = limiter('sign-in-browser', PER_ACCOUNT.password);
  const byPerson = limiter('sign-in-session', PER_PERSON);
  const byCode = limiter('sign-in-code', 1, CODE_SECONDS);
  return {
    async count({ kind, address, email, browser, personId }) {
      const counts: (readonly [RateLimiterPostgres, string])[] = [
        ...networksOf(address),
        ...(browser === undefined ? [] : [[byBrowser, browser] as const]),
        ...(browser !== undefined || email === undefined ? [] : [[byAccount[kind], digestOf(email)] as const]),
        ...(personId === undefined ? [] : [[byPerson, personId] as const]),
      ];
      for (const [each, key] of counts) await consume(each, key, !byNetwork.includes(each));
      return async () => {
        for (const [each, key] of counts) await each.reward(key);
      };
    },
    async useCode(personId, code) {
      try {
        await byCode.consume(digestOf(`${personId} ${code}`));
        return true;
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) return false;
        throw thrown;
      }
    },
    close: () => pool.end(),
  };
}

function digestOf(email: string): string {
  return hash('sha256', email.trim().toLowerCase(), 'hex');
}

async function consume(limiter: RateLimiterPostgres, key: string, isOfPerson: boolean): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (thrown) {
    if (!(thrown instanceof RateLimiterRes)) throw thrown;
    const isFirst = thrown.consumedPoints === limiter.points + 1;
    throw new LockedOut(Math.ceil(thrown.msBeforeNext / SECOND_MS), isFirst && isOfPerson);
  }
}

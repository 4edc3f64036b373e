import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Environment, ENVIRONMENTS } from '../../domain/payment.ts';
import { SCOPES_OF_ROLE } from '../../domain/roles.ts';
import { PLATFORM_SCOPES } from '../../domain/scopes.ts';
import type { SessionLimits } from '../../domain/session-limits.ts';
import type { Database } from '../../prisma/connection/client.ts';
import {
  noteSessionUse,
  type SessionCredentials,
  selectSession,
  selectStaffSession,
} from '../../prisma/queries/person.ts';
import { ApiError } from '../../domain/api-error.ts';
import { type RateLimiters, rateLimitExceeded, type RateLimitStatus } from '../rate-limits/rate-limit.ts';
import type { Principal } from '../../domain/principal.ts';
import { requireSecureTransport, type Transport } from '../transport.ts';

/** A person's request, which the dashboard passes on. */
export interface SessionInput {
  readonly method: string;
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The person's address. */
  readonly address: () => string;
  readonly transport: () => Transport;
}

export interface SessionDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly rateLimiters: RateLimiters;
  /** Whether the operator demands a second factor of everybody. */
  readonly requireSecondFactor: boolean;
  readonly sessionLimits: SessionLimits;
  readonly onCounted: (rateLimit: RateLimitStatus) => void;
}

const SESSION = /^Session +([\w-]{16,128})\.([A-Za-z0-9+/]{43}=)$/i;

/**
 * The token of the session in an Authorization header, whose signature is checked without a query.
 * @param secret signs the cookies of the dashboard; null where sessions are not taken
 * @returns undefined where there is none, or one that the dashboard did not sign
 */
export function sessionTokenOf(authorization: string | undefined, secret: string | null): string | undefined {
  const [, token, signature] = SESSION.exec(authorization ?? '') ?? [];
  if (secret === null || token === undefined || signature === undefined) return undefined;
  const expected = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

/** Whether a request claims to be a person's, by one value of the header. */
export function claimsSession(authorization: string | undefined): boolean {
  return /^Session\b[^,]*$/i.test(authorization ?? '');
}

/**
 * Every check of a person's request before the scope: session, verified e-mail, team, environment, HTTPS, rate limit, merchant
 * account. Nothing is cached: a session that ended, a membership that was removed and a suspension take effect at once.
 * @throws ApiError with the code of the first check that fails
 */
export async function authenticateSession(
  token: string | undefined,
  input: SessionInput,
  { database, sessionLimits, requireSecondFactor, ...counting }: SessionDependencies,
): Promise<Principal> {
  const environment = environmentOf(input.header('x-environment'));
  const account = input.header('x-merchant-id') ?? null;
  const row =
    token === undefined
      ? undefined
      : await database.direct.row(selectSession({ token, environment, account }, sessionLimits));
  if (token === undefined || row === undefined) throw sessionEnded();
  if (!row.isEmailVerified) throw emailUnverified();
  const { personId, merchantId, role } = row;
  if (merchantId === null || role === null) {
    throw new ApiError('FORBIDDEN', {
      message: 'You are in no team. Open the link of an invitation, or ask an owner of a team for one.',
      details: { reason: 'no_team' },
    });
  }
  const { hasSecondFactor, gaveSecondFactor, isRecentlyAuthenticated } = row;
  if ((requireSecondFactor || row.requiresSecondFactor === true) && !gaveSecondFactor)
    throw secondFactorDemanded(hasSecondFactor);
  requireSecureTransport(environment, input.transport);
  await countPerson(personId, counting);
  if (row.isUseDue) await database.direct.execute(noteSessionUse(token));
  return {
    ...accountOf(row, input.method),
    environment,
    merchantId,
    personId,
    ...principalParts(personId, input.address()),
    session: { gaveSecondFactor, isRecentlyAuthenticated },
    scopes: SCOPES_OF_ROLE[role],
  };
}

/** The beginning of the console's paths, below `/api/v1`. */
const PLATFORM_PATH = '/platform/';

/** Whether a path below `/api/v1` is for the platform's staff. */
export function isPlatformPath(path: string): boolean {
  return path.startsWith(PLATFORM_PATH);
}

/**
 * Every check of a request of the platform's staff before the scope: session, verified e-mail, staff, second factor, HTTPS, rate
 * limit. Nothing is cached: a person who is removed from the staff is refused at once.
 * @returns a principal without a merchant
 * @throws ApiError with the code of the first check that fails
 */
export async function authenticateStaff(
  token: string | undefined,
  input: SessionInput,
  { database, sessionLimits, ...counting }: SessionDependencies,
): Promise<Principal> {
  const row = token === undefined ? undefined : await database.direct.row(selectStaffSession(token, sessionLimits));
  if (token === undefined || row === undefined) throw sessionEnded();
  const { personId, email } = row;
  if (!row.isEmailVerified) throw emailUnverified();
  if (!row.isStaff) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', { message: 'Only the staff of the platform may do this.' });
  }
  if (!row.hasSecondFactor || !row.gaveSecondFactor) throw secondFactorNeeded(row.hasSecondFactor);
  requireSecureTransport('production', input.transport);
  await countPerson(personId, counting);
  if (row.isUseDue) await database.direct.execute(noteSessionUse(token));
  return {
    merchantId: '',
    merchantAccountId: '',
    attemptBudget: 0,
    requiresIdempotencyKeys: false,
    environment: 'production',
    personId,
    staffEmail: email,
    ...principalParts(personId, input.address()),
    scopes: PLATFORM_SCOPES,
  };
}

function secondFactorNeeded(isSetUp: boolean): ApiError {
  return isSetUp
    ? new ApiError('FORBIDDEN', {
        message:
          'This session began without your second factor. Sign out, then sign in by password and second factor to use the console.',
        details: { reason: 'second_factor_not_given' },
      })
    : new ApiError('FORBIDDEN', {
        message:
          'The staff of the platform need a second factor. Open the link for setting it up, which an operator makes: npm run staff -- enrol EMAIL.',
        details: { reason: 'second_factor_not_set_up' },
      });
}

/** A team or the operator demands a second factor of everybody. */
function secondFactorDemanded(isSetUp: boolean): ApiError {
  return isSetUp
    ? new ApiError('FORBIDDEN', {
        message:
          'This session began without your second factor, which is demanded here. Sign out, then sign in with it.',
        details: { reason: 'second_factor_not_given' },
      })
    : new ApiError('FORBIDDEN', {
        message: 'A second factor is demanded of everybody here. Open the dashboard, and set yours up there.',
        details: { reason: 'second_factor_not_set_up' },
      });
}

function sessionEnded(): ApiError {
  return new ApiError('UNAUTHORIZED', { message: 'The session has ended. Sign in again.' });
}

function emailUnverified(): ApiError {
  return new ApiError('FORBIDDEN', { message: 'Confirm your e-mail address first: open the link in the mail.' });
}

async function countPerson(
  personId: string,
  { rateLimiters, onCounted }: Pick<SessionDependencies, 'rateLimiters' | 'onCounted'>,
): Promise<void> {
  const rateLimit = await rateLimiters.countPerson(personId);
  onCounted(rateLimit);
  if (rateLimit.exceeded) throw rateLimitExceeded(rateLimit);
}

/** @throws ApiError `VALIDATION_ERROR` */
function environmentOf(header: string | undefined): Environment {
  const known = header === undefined ? 'sandbox' : ENVIRONMENTS.find((each) => each === header);
  if (known !== undefined) return known;
  throw new ApiError('VALIDATION_ERROR', { message: `Expected X-Environment to be ${ENVIRONMENTS.join(' or ')}.` });
}

const READS: readonly string[] = ['GET', 'HEAD'];

/** The account of the request; people may read a suspended one. */
function accountOf(row: SessionCredentials, method: string) {
  const { merchantAccountId, merchantAccountStatus, attemptBudget, requiresIdempotencyKeys, refundConfirmationMinor } =
    row;
  if (merchantAccountId === null || attemptBudget === null || requiresIdempotencyKeys === null) {
    throw new ApiError('FORBIDDEN', {
      message:
        'Expected in X-Merchant-ID a merchant account of your team in the environment that X-Environment names; leave the header out ' +
        'to act for the oldest active one.',
    });
  }
  if (merchantAccountStatus !== 'active' && !READS.includes(method)) throw new ApiError('MERCHANT_SUSPENDED');
  const confirmed = refundConfirmationMinor === null ? null : Number(refundConfirmationMinor);
  return { merchantAccountId, attemptBudget, requiresIdempotencyKeys, refundConfirmationMinor: confirmed };
}

/** Limits, logs and stored responses identify a person as they identify a key. The keys that a person makes may have any limits. */
function principalParts(personId: string, address: string) {
  return {
    apiKeyId: personId,
    actor: { type: 'person', id: personId, address },
    keyLimits: { accountBound: false, ipRestricted: false, ipAllowlist: [], expiresAt: null, signatureVersion: 1 },
  } as const;
}

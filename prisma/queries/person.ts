import type { Environment } from '../../domain/payment.ts';
import { ROLES } from '../../domain/roles.ts';
import { LAST_USE_EVERY_MS, type SessionLimits } from '../../domain/session-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { Prisma } from '../generated/client.ts';
import { bigint, boolean, integer, nullable, oneOf, returning, text } from '../connection/statement.ts';

/** For so long after a person proved who it is, nothing asks for it again. */
export const RECENT_AUTHENTICATION_MS = 10 * MINUTE_MS;

/** A session that has not ended, with its person's place in a team and the merchant account that the request acts for. */
export interface SessionCredentials {
  readonly personId: string;
  readonly isEmailVerified: boolean;
  /** Null for a person without a team, as is the role. */
  readonly merchantId: string | null;
  readonly role: (typeof ROLES)[number] | null;
  /** Null where the named account is not one of the merchant and environment. */
  readonly merchantAccountId: string | null;
  readonly merchantAccountStatus: string | null;
  readonly attemptBudget: number | null;
  readonly requiresIdempotencyKeys: boolean | null;
  /** From which amount on people confirm refunds of the account; null for none. */
  readonly refundConfirmationMinor: bigint | null;
  /** Whether the merchant demands a second factor of its people; null without a team. */
  readonly requiresSecondFactor: boolean | null;
  /** Whether signing in takes a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether this session began with it. */
  readonly gaveSecondFactor: boolean;
  /** Whether the person proved in the last 10 minutes who it is. */
  readonly isRecentlyAuthenticated: boolean;
  /** Whether it is time to write that the session is used. */
  readonly isUseDue: boolean;
}

/** A session that has not ended, with what the person needs for the console of the platform. */
export interface StaffCredentials {
  readonly personId: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly isStaff: boolean;
  /** Whether signing in takes a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether this session began with it. */
  readonly gaveSecondFactor: boolean;
  /** Whether it is time to write that the session is used. */
  readonly isUseDue: boolean;
}

/** Whether the use of the session in a row named `s` is to be written. */
const IS_USE_DUE = Prisma.sql`(s.last_used_at < now() - ${LAST_USE_EVERY_MS}::float8 * interval '1 millisecond')`;

/** Whether the session in a row named `s` has not ended. */
function isOpen({ maximumMs, staffMaximumMs, staffIdleMs }: SessionLimits): Prisma.Sql {
  const ago = (ms: number) => Prisma.sql`now() - ${ms}::float8 * interval '1 millisecond'`;
  return Prisma.sql`(s.expires_at > now() AND CASE
      WHEN EXISTS (SELECT FROM platform_staff WHERE person_id = s.person_id)
      THEN s.created_at > ${ago(staffMaximumMs)} AND s.last_used_at > ${ago(staffIdleMs)}
      ELSE s.created_at > ${ago(maximumMs)} END)`;
}

/** The session of a token, for the console of the platform. */
export function selectStaffSession(token: string, limits: SessionLimits) {
  return returning<StaffCredentials>({
    personId: text,
    email: text,
    isEmailVerified: boolean,
    isStaff: boolean,
    hasSecondFactor: boolean,
    gaveSecondFactor: boolean,
    isUseDue: boolean,
  })`
    SELECT p.id AS "personId", p.email, p.email_verified AS "isEmailVerified",
      EXISTS (SELECT FROM platform_staff WHERE person_id = p.id) AS "isStaff",
      p.two_factor_enabled AS "hasSecondFactor", s.second_factor AS "gaveSecondFactor", ${IS_USE_DUE} AS "isUseDue"
    FROM person_session s JOIN person p ON p.id = s.person_id
    WHERE s.token = ${token} AND ${isOpen(limits)}`;
}

/** The sender that a request names. */
export interface SessionReference {
  readonly token: string;
  readonly environment: Environment;
  /** Null stands for the merchant's oldest active account of the environment, or else its oldest. */
  readonly account: string | null;
}

/** The session of a token. */
export function selectSession({ token, environment, account }: SessionReference, limits: SessionLimits) {
  return returning<SessionCredentials>({
    personId: text,
    isEmailVerified: boolean,
    merchantId: nullable(text),
    role: nullable(oneOf(ROLES)),
    merchantAccountId: nullable(text),
    merchantAccountStatus: nullable(text),
    attemptBudget: nullable(integer),
    requiresIdempotencyKeys: nullable(boolean),
    refundConfirmationMinor: nullable(bigint),
    requiresSecondFactor: nullable(boolean),
    hasSecondFactor: boolean,
    gaveSecondFactor: boolean,
    isRecentlyAuthenticated: boolean,
    isUseDue: boolean,
  })`
    SELECT p.id AS "personId", p.email_verified AS "isEmailVerified", m.merchant_id AS "merchantId", m.role,
      a.id AS "merchantAccountId", a.status AS "merchantAccountStatus", a.attempt_budget AS "attemptBudget",
      a.require_idempotency_keys AS "requiresIdempotencyKeys", a.refund_confirmation_minor AS "refundConfirmationMinor",
      o.require_second_factor AS "requiresSecondFactor", p.two_factor_enabled AS "hasSecondFactor",
      s.second_factor AS "gaveSecondFactor",
      s.authenticated_at > now() - make_interval(secs => ${RECENT_AUTHENTICATION_MS / SECOND_MS}::int) AS "isRecentlyAuthenticated",
      ${IS_USE_DUE} AS "isUseDue"
    FROM person_session s
    JOIN person p ON p.id = s.person_id
    LEFT JOIN membership m ON m.person_id = p.id
    LEFT JOIN merchant o ON o.id = m.merchant_id
    LEFT JOIN LATERAL (
      SELECT * FROM merchant_account
      WHERE merchant_id = m.merchant_id AND environment = ${environment}
        AND id = COALESCE(${account}::text, id)
      ORDER BY status = 'active' DESC, created_at, id
      LIMIT 1
    ) a ON true
    WHERE s.token = ${token} AND ${isOpen(limits)}`;
}

/** Notes that a session is used, once a minute at most. */
export function noteSessionUse(token: string): Prisma.Sql {
  return Prisma.sql`UPDATE person_session s SET last_used_at = now() WHERE token = ${token} AND ${IS_USE_DUE}`;
}

/** Ends the sessions of a session's person that are past their limits; the library of the dashboard knows none of these. */
export function endPastSessions(token: string, limits: SessionLimits): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM person_session s
    WHERE person_id = (SELECT person_id FROM person_session WHERE token = ${token}) AND NOT ${isOpen(limits)}`;
}

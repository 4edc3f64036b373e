import type { SignInEvent } from '../../domain/audit.ts';
import { OPEN_ID_PROVIDER } from './auth.ts';
import type { AttemptKind } from './sign-in-limits.ts';

/** A request below /auth that the library answers. */
export interface AuthRequest {
  readonly method: 'get' | 'post';
  /** Below /auth. */
  readonly path: string;
  /** The members of its body that the library gets; none where absent. */
  readonly fields?: readonly string[];
  /** What it is counted as; absent where it can neither guess nor send anything. */
  readonly counted?: AttemptKind;
  /** Whether it also guesses for the person of its session, if it has one. */
  readonly ofSession?: boolean;
  /** Whether the session must have begun with a second factor: who stole an older session and the password replaces none. */
  readonly secondFactor?: boolean;
  /** Whether it sets a second factor up, for which staff of the platform need a link. */
  readonly enrolsFactor?: boolean;
  /** Whether it begins a session by a code that counts once: who saw it being typed must not sign in with it too. */
  readonly codeCountsOnce?: boolean;
  /** Whether its success proves in the session, again, that it is the person. */
  readonly provesPerson?: boolean;
  /** Whether its success makes the browser known for the e-mail address, whose attempts others cannot use up there. */
  readonly makesBrowserKnown?: boolean;
  /** The member with a password that the person chooses. */
  readonly newPassword?: string;
  /** Whether a success is answered without data, so that it is the same for every e-mail address. */
  readonly answersNothing?: boolean;
  /** Whether its token is one of a mailed link that a newer link replaces. */
  readonly confirmsAddress?: boolean;
  /** What of it is in the audit log; absent where nothing is. */
  readonly recorded?: {
    /** How a session that it begins was begun. */
    readonly begins?: string;
    /** What it did where it succeeded in a session. */
    readonly success?: SignInEvent;
    /** What it did where it succeeded without one, for the e-mail address that it names. */
    readonly asked?: SignInEvent;
    /** Whether a refusal is a failed sign-in. */
    readonly failure?: boolean;
  };
  /** Whether it must take alike for e-mail addresses that are known and that are not. */
  readonly evenTime?: boolean;
}

/**
 * The requests that the library answers. Whatever else it could answer is refused, and whatever else it could be told is left out:
 * nobody trusts a device in place of a second factor, or makes a session last longer.
 */
export const AUTH_REQUESTS: readonly AuthRequest[] = [
  {
    method: 'post',
    path: '/sign-in/email',
    fields: ['email', 'password', 'callbackURL'],
    counted: 'password',
    makesBrowserKnown: true,
    recorded: { begins: 'password', failure: true },
  },
  { method: 'post', path: '/sign-in/social', fields: ['provider', 'callbackURL'], counted: 'password' },
  { method: 'get', path: `/callback/${OPEN_ID_PROVIDER}`, recorded: { begins: 'openid' } },
  { method: 'post', path: '/sign-out', recorded: { success: 'session_ended' } },
  {
    method: 'post',
    path: '/send-verification-email',
    fields: ['email', 'callbackURL'],
    counted: 'mail',
    evenTime: true,
  },
  { method: 'get', path: '/verify-email', confirmsAddress: true },
  {
    method: 'post',
    path: '/request-password-reset',
    fields: ['email', 'redirectTo'],
    counted: 'mail',
    evenTime: true,
    recorded: { asked: 'password_reset_requested' },
  },
  {
    method: 'post',
    path: '/reset-password',
    fields: ['token', 'newPassword'],
    counted: 'password',
    newPassword: 'newPassword',
    recorded: { success: 'password_changed' },
  },
  {
    method: 'post',
    path: '/change-password',
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    counted: 'password',
    ofSession: true,
    newPassword: 'newPassword',
    recorded: { success: 'password_changed', failure: true },
  },
  {
    method: 'post',
    path: '/verify-password',
    fields: ['password'],
    counted: 'password',
    ofSession: true,
    provesPerson: true,
    recorded: { failure: true },
  },
  { method: 'get', path: '/get-session' },
  { method: 'get', path: '/list-sessions' },
  { method: 'post', path: '/revoke-session', fields: ['token'], recorded: { success: 'session_ended' } },
  { method: 'post', path: '/revoke-other-sessions', recorded: { success: 'session_ended' } },
  {
    method: 'post',
    path: '/two-factor/enable',
    fields: ['password', 'enrolmentToken'],
    counted: 'password',
    ofSession: true,
    enrolsFactor: true,
    recorded: { failure: true },
  },
  {
    method: 'post',
    path: '/two-factor/disable',
    fields: ['password'],
    counted: 'password',
    ofSession: true,
    secondFactor: true,
    recorded: { success: 'second_factor_disabled', failure: true },
  },
  {
    method: 'post',
    path: '/two-factor/verify-totp',
    fields: ['code', 'enrolmentToken'],
    counted: 'password',
    ofSession: true,
    enrolsFactor: true,
    codeCountsOnce: true,
    provesPerson: true,
    recorded: { begins: 'authenticator', success: 'second_factor_enabled', failure: true },
  },
  {
    method: 'post',
    path: '/two-factor/verify-backup-code',
    fields: ['code'],
    counted: 'password',
    ofSession: true,
    recorded: { begins: 'recovery_code', failure: true },
  },
  {
    method: 'post',
    path: '/two-factor/generate-backup-codes',
    fields: ['password'],
    counted: 'password',
    ofSession: true,
    secondFactor: true,
    recorded: { success: 'recovery_codes_created', failure: true },
  },
];

/** The router checks its body, which names the merchant or an invitation. */
export const SIGN_UP: AuthRequest = {
  method: 'post',
  path: '/sign-up/email',
  counted: 'mail',
  newPassword: 'password',
  evenTime: true,
  answersNothing: true,
};

/** A text in the body of a request; undefined where it has none of that name. */
export function textIn(body: object, name: string): string | undefined {
  const value: unknown = Object.entries(body).find(([field]) => field === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

import { send } from './request.ts';

/** What the sign-in service answers to a password. */
interface SignedIn {
  /** Whether a second factor is asked for. */
  readonly twoFactorRedirect?: boolean;
}

/** How people may sign up and in here. */
export interface SignInOptions {
  readonly signUp: string;
  /** The name of another service that people may sign in with; null without one. */
  readonly openIdProvider: string | null;
  /** Where servers reach the API; null where the operator has not said it. */
  readonly apiUrl: string | null;
}

/** What the link of an invitation says. */
export interface Invitation {
  readonly merchantName: string;
  readonly email: string;
  readonly role: string;
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly merchantName?: string;
  readonly invitationToken?: string;
}

/** A place where the person is signed in. */
export interface PersonSession {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}

const post = (path: string, body: unknown) => send(`/auth${path}`, { method: 'POST', body });
const dataOf = async <Data>(response: Promise<unknown>) => ((await response) as { data: Data }).data;

/** The sign-in service of the dashboard, as far as the pages use it. Each throws RequestError. */
export const auth = {
  options: () => dataOf<SignInOptions>(send('/auth/options')),
  signIn: (email: string, password: string) => post('/sign-in/email', { email, password }) as Promise<SignedIn>,
  /** Where to go to sign in with the other service. */
  signInElsewhere: (next: string) =>
    post('/sign-in/social', { provider: 'oidc', callbackURL: next }) as Promise<{ url?: string }>,
  signUp: (person: NewPerson) => post('/sign-up/email', person),
  signOut: () => post('/sign-out', {}),
  verifyPassword: (password: string) => post('/verify-password', { password }),
  /** @param enrolmentToken of the link by which one of the platform's staff sets a second factor up */
  verifyTotp: (code: string, enrolmentToken?: string) => post('/two-factor/verify-totp', { code, enrolmentToken }),
  verifyRecoveryCode: (code: string) => post('/two-factor/verify-backup-code', { code }),
  sendVerification: (email: string) =>
    post('/send-verification-email', { email, callbackURL: '/sign-in?verified=true' }),
  requestReset: (email: string) => post('/request-password-reset', { email, redirectTo: '/reset-password' }),
  resetPassword: (token: string, newPassword: string) => post('/reset-password', { token, newPassword }),
  findInvitation: (token: string) => dataOf<Invitation>(post('/invitation', { token })),
  acceptInvitation: (token: string) => post('/accept-invitation', { token }),
  createMerchant: (merchantName: string) => post('/create-merchant', { merchantName }),
  changePassword: (currentPassword: string, newPassword: string) =>
    post('/change-password', { currentPassword, newPassword, revokeOtherSessions: true }),
  readSession: () =>
    send('/auth/get-session') as Promise<{
      session: { id: string; token: string };
      user: { name: string; email: string; twoFactorEnabled?: boolean | null };
    } | null>,
  listSessions: () => send('/auth/list-sessions') as Promise<readonly PersonSession[]>,
  endSession: (token: string) => post('/revoke-session', { token }),
  endOtherSessions: () => post('/revoke-other-sessions', {}),
  /** @param enrolmentToken as above */
  enableTotp: (password: string, enrolmentToken?: string) =>
    post('/two-factor/enable', { password, enrolmentToken }) as Promise<{ totpURI: string; backupCodes: string[] }>,
  disableTotp: (password: string) => post('/two-factor/disable', { password }),
  newRecoveryCodes: (password: string) =>
    post('/two-factor/generate-backup-codes', { password }) as Promise<{ backupCodes: string[] }>,
};

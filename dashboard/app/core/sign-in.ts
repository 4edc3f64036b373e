import { auth } from './auth.ts';
import { messageOf } from './message-of.ts';
import { RequestError } from './request.ts';

const EMAIL_NOT_VERIFIED = 'EMAIL_NOT_VERIFIED';
const EXPLANATIONS: Readonly<Record<string, string>> = {
  [EMAIL_NOT_VERIFIED]: 'Confirm your e-mail address first: open the link in the mail that we have sent you.',
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
};

/** Why a sign-in did not succeed, for people. */
export function explainSignIn(error: unknown): string {
  return (error instanceof RequestError ? EXPLANATIONS[error.code] : undefined) ?? messageOf(error);
}

/** Second factors: how a page asks for a code, and who checks it. */
export const SECOND_FACTORS = {
  totp: {
    title: 'Enter your code',
    intro: 'Your authenticator app shows a code of six digits.',
    field: { name: 'code', label: 'Code', autoComplete: 'one-time-code', isNumeric: true },
    check: auth.verifyTotp,
    other: 'Use a recovery code instead',
    otherFactor: 'recovery',
  },
  recovery: {
    title: 'Enter a recovery code',
    intro: 'You got the recovery codes when you set up your second factor. Each works once.',
    field: { name: 'code', label: 'Recovery code', autoComplete: 'off', isNumeric: false },
    check: auth.verifyRecoveryCode,
    other: 'Use your authenticator app instead',
    otherFactor: 'totp',
  },
} as const;

export type SecondFactor = keyof typeof SECOND_FACTORS;

/** Checks a code of a second factor, however it is spaced. @throws RequestError */
export async function checkFactor(factor: SecondFactor, code: string): Promise<void> {
  await SECOND_FACTORS[factor].check(code.replaceAll(' ', ''));
}

/**
 * Signs in by password. Who has not confirmed the e-mail address gets another mail, as long as the server sends one.
 * @returns the second factor that is asked for; null without one
 * @throws RequestError
 */
export async function signInByPassword(email: string, password: string): Promise<SecondFactor | null> {
  try {
    const { twoFactorRedirect = false } = await auth.signIn(email, password);
    return twoFactorRedirect ? 'totp' : null;
  } catch (error) {
    if (error instanceof RequestError && error.code === EMAIL_NOT_VERIFIED) {
      await auth.sendVerification(email).catch(() => undefined);
    }
    throw error;
  }
}

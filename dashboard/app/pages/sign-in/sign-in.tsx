import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useEffect, useState } from 'react';
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router';
import { nextAddress } from '../../core/addresses.ts';
import { auth, type SignInOptions } from '../../core/auth.ts';
import { RequestError } from '../../core/request.ts';
import { EMAIL, type Field, PlainForm } from './form.tsx';

const PASSWORD: Field = { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' };

const EMAIL_NOT_VERIFIED = 'EMAIL_NOT_VERIFIED';
const EXPLANATIONS: Readonly<Record<string, string>> = {
  [EMAIL_NOT_VERIFIED]: 'Confirm your e-mail address first: open the link in the mail that we have sent you.',
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
};
/** Of the sign-in at an OpenID provider. */
const NOT_VERIFIED_ELSEWHERE = 'email_not_verified';

/** Second factors: how the page asks for a code, and who checks it. */
const SECOND_FACTORS = {
  totp: {
    title: 'Enter your code',
    intro: 'Your authenticator app shows a code of six digits.',
    field: { name: 'code', label: 'Code', autoComplete: 'one-time-code', isNumeric: true } satisfies Field,
    check: auth.verifyTotp,
    other: 'Use a recovery code instead',
  },
  recovery: {
    title: 'Enter a recovery code',
    intro: 'You got the recovery codes when you set up your second factor. Each works once.',
    field: { name: 'code', label: 'Recovery code', autoComplete: 'off' } satisfies Field,
    check: auth.verifyRecoveryCode,
    other: 'Use your authenticator app instead',
  },
} as const;

export function SignIn() {
  const [query] = useSearchParams();
  const [step, setStep] = useState<'password' | keyof typeof SECOND_FACTORS>('password');
  const [options, setOptions] = useState<SignInOptions | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    auth.options().then(setOptions, () => undefined);
  }, []);
  const enter = () => navigate(nextAddress(query, location.origin), { replace: true });
  if (step !== 'password') {
    const { title, intro, field, check, other } = SECOND_FACTORS[step];
    return (
      <PlainForm
        key={step}
        title={title}
        intro={intro}
        fields={[field]}
        action="Sign in"
        submit={async ({ code = '' }) => {
          await check(code.replaceAll(' ', ''));
          await enter();
        }}
      >
        <Button onClick={() => setStep(step === 'totp' ? 'recovery' : 'totp')}>{other}</Button>
      </PlainForm>
    );
  }
  return (
    <PlainForm
      title="Sign in"
      fields={[EMAIL, PASSWORD]}
      action="Sign in"
      explain={({ code }) => EXPLANATIONS[code]}
      submit={async ({ email = '', password = '' }) => {
        const { twoFactorRedirect = false } = await signIn(email, password);
        if (twoFactorRedirect) setStep('totp');
        else await enter();
      }}
    >
      {query.get('verified') === null ? null : (
        <Alert severity="success">Your e-mail address is confirmed. Sign in now.</Alert>
      )}
      {query.get('error') === null ? null : <Alert severity="error">{messageOf(query.get('error') ?? '')}</Alert>}
      {typeof options?.openIdProvider === 'string' ? (
        <Button variant="outlined" onClick={() => void signInElsewhere(nextAddress(query, location.origin))}>
          Sign in with {options.openIdProvider}
        </Button>
      ) : null}
      <Link component={RouterLink} to="/forgot-password">
        Forgot your password?
      </Link>
      {options?.signUp === 'open' ? (
        <Link component={RouterLink} to="/sign-up">
          Sign up
        </Link>
      ) : null}
    </PlainForm>
  );
}

/** @param error why a link, or the sign-in elsewhere, has led here */
function messageOf(error: string): string {
  return error.toLowerCase() === NOT_VERIFIED_ELSEWHERE
    ? 'That did not work: where you signed in, your e-mail address is not confirmed. Confirm it there, then try again.'
    : 'That did not work: the link has expired, or was used already. Sign in, and a new one is sent.';
}

/** Signs in. Who has not confirmed the e-mail address gets another mail, as long as the server sends one. @throws RequestError */
async function signIn(email: string, password: string): Promise<{ readonly twoFactorRedirect?: boolean }> {
  try {
    return await auth.signIn(email, password);
  } catch (error) {
    if (error instanceof RequestError && error.code === EMAIL_NOT_VERIFIED) {
      await auth.sendVerification(email).catch(() => undefined);
    }
    throw error;
  }
}

async function signInElsewhere(next: string): Promise<void> {
  const { url } = await auth.signInElsewhere(next);
  if (url !== undefined) location.assign(url);
}

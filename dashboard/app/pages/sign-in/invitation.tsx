import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { messageOf } from '../../core/message-of.ts';
import { signInAddress } from '../../core/addresses.ts';
import { auth, type Invitation } from '../../core/auth.ts';
import { roleName } from '../../core/session.ts';
import { type Field, NEW_PASSWORD, PlainForm } from './form.tsx';

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Your name', autoComplete: 'name' },
  { ...NEW_PASSWORD, label: 'Password' },
];

const EXPLANATIONS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'This address has an account with another password. Sign in with that one, then join.',
};

interface Found {
  readonly invitation: Invitation;
  /** The e-mail address that is signed in; null where nobody is. */
  readonly signedInAs: string | null;
}

/** An invitation to a team: who is signed in accepts it; others sign up with its address, which the invitation proves, and are in. */
export function AcceptInvitation() {
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const [found, setFound] = useState<Found | Error | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    Promise.all([auth.findInvitation(token), auth.readSession().catch(() => null)])
      .then(([invitation, session]) => setFound({ invitation, signedInAs: session?.user.email ?? null }))
      .catch((error: unknown) => setFound(error instanceof Error ? error : new Error(String(error))));
  }, [token]);
  if (found === null) return <Typography>Reading the invitation …</Typography>;
  if (found instanceof Error)
    return (
      <>
        <Alert severity="error">{found.message}</Alert>
        <Link href="/sign-in">Go to the sign-in</Link>
      </>
    );
  const { invitation, signedInAs } = found;
  const text = (
    <>
      You are invited to join <strong>{invitation.merchantName}</strong> as {roleName(invitation.role)}, with the
      address <strong>{invitation.email}</strong>.
    </>
  );
  const accept = () => {
    auth.acceptInvitation(token).then(
      () => navigate('/', { replace: true }),
      (error: unknown) => setFailure(messageOf(error)),
    );
  };
  const here = `/invitation?${new URLSearchParams({ token }).toString()}`;
  if (signedInAs === invitation.email)
    return (
      <>
        <Typography variant="h5" component="h1">
          Join the team
        </Typography>
        <Typography>{text}</Typography>
        {failure === null ? null : <Alert severity="error">{failure}</Alert>}
        <Button variant="contained" onClick={accept}>
          Join {invitation.merchantName}
        </Button>
      </>
    );
  return (
    <PlainForm
      title="Join the team"
      intro={text}
      fields={FIELDS}
      action="Sign up and join"
      explain={({ code }) => EXPLANATIONS[code]}
      submit={async ({ name = '', password = '' }) => {
        await auth.signUp({ name, email: invitation.email, password, invitationToken: token });
        await auth.signIn(invitation.email, password);
        await auth.acceptInvitation(token);
        await navigate('/', { replace: true });
      }}
    >
      {signedInAs === null ? null : (
        <Alert severity="info">You are signed in as {signedInAs}. The invitation is for another address.</Alert>
      )}
      <Link href={signInAddress(here)}>You have an account? Sign in, then join</Link>
    </PlainForm>
  );
}

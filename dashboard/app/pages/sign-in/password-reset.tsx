import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { auth } from '../../core/auth.ts';
import { EMAIL, NEW_PASSWORD, PlainForm } from './form.tsx';

export function ForgotPassword() {
  const [isSent, setSent] = useState(false);
  if (isSent)
    return (
      <>
        <Typography variant="h5" component="h1">
          Check your mail
        </Typography>
        <Typography>
          If the address belongs to an account, a mail with a link is on its way. The link works for an hour.
        </Typography>
        <Button href="/sign-in">Go to the sign-in</Button>
      </>
    );
  return (
    <PlainForm
      title="Reset your password"
      intro="We send a link to your e-mail address, with which you choose a new password."
      fields={[EMAIL]}
      action="Send the link"
      submit={async ({ email = '' }) => {
        await auth.requestReset(email);
        setSent(true);
      }}
    >
      <Link href="/sign-in">Back to the sign-in</Link>
    </PlainForm>
  );
}

export function ResetPassword() {
  const [query] = useSearchParams();
  const [isDone, setDone] = useState(false);
  const token = query.get('token');
  if (token === null || query.get('error') !== null)
    return (
      <>
        <Alert severity="error">This link has expired, or was used already.</Alert>
        <Button href="/forgot-password">Get a new link</Button>
      </>
    );
  if (isDone)
    return (
      <>
        <Alert severity="success">Your password is changed.</Alert>
        <Button href="/sign-in" variant="contained">
          Sign in
        </Button>
      </>
    );
  return (
    <PlainForm
      title="Choose a new password"
      fields={[NEW_PASSWORD]}
      action="Change the password"
      submit={async ({ password = '' }) => {
        await auth.resetPassword(token, password);
        setDone(true);
      }}
    />
  );
}

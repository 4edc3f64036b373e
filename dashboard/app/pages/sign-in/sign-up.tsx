import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { auth } from '../../core/auth.ts';
import { EMAIL, type Field, NEW_PASSWORD, PlainForm } from './form.tsx';
import { CheckMail } from './check-mail.tsx';

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Your name', autoComplete: 'name' },
  { name: 'merchantName', label: 'Name of your company', autoComplete: 'organization' },
  EMAIL,
  { ...NEW_PASSWORD, label: 'Password' },
];

export function SignUp() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    auth.options().then(
      ({ signUp }) => setOpen(signUp === 'open'),
      () => undefined,
    );
  }, []);
  if (sentTo !== null) return <CheckMail email={sentTo} />;
  if (!isOpen) return <Typography>Sign-up is by invitation here. Ask an owner of your team to invite you.</Typography>;
  return (
    <PlainForm
      title="Sign up"
      intro="You get an account for tests at once, and one for production."
      fields={FIELDS}
      action="Sign up"
      submit={async ({ name = '', merchantName = '', email = '', password = '' }) => {
        await auth.signUp({ name, merchantName, email, password });
        setSentTo(email);
      }}
    >
      <Link href="/sign-in">Sign in instead</Link>
    </PlainForm>
  );
}

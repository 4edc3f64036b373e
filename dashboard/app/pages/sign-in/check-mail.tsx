import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { messageOf } from '../../core/message-of.ts';
import { auth } from '../../core/auth.ts';

/** After a sign-up, whether or not the address was known: the mail says more. */
export function CheckMail({ email }: { readonly email: string }) {
  const [notice, setNotice] = useState<string | null>(null);
  const sendAgain = () => {
    auth.sendVerification(email).then(
      () => setNotice('The mail is on its way again.'),
      (error: unknown) => setNotice(messageOf(error)),
    );
  };
  return (
    <>
      <Typography variant="h5" component="h1">
        Check your mail
      </Typography>
      <Typography>
        We have sent a mail to <strong>{email}</strong>. Open its link within an hour to confirm your address.
      </Typography>
      {notice === null ? null : <Alert severity="info">{notice}</Alert>}
      <Button onClick={sendAgain}>Send the mail again</Button>
      <Button href="/sign-in">Go to the sign-in</Button>
    </>
  );
}

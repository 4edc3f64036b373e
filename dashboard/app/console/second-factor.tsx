import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { auth } from '../core/auth.ts';
import { MONOSPACE } from '../core/plain-theme.ts';
import { type Field, PlainForm } from '../pages/sign-in/form.tsx';

const PASSWORD: Field = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autoComplete: 'current-password',
};
const CODE: Field = { name: 'code', label: 'Code', autoComplete: 'one-time-code', isNumeric: true };

interface SetUp {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** Leads a person from a password to a second factor, which is demanded. */
export function SetUpSecondFactor({ title }: { readonly title: string }) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [isDone, setDone] = useState(false);
  if (setUp === null) {
    return (
      <PlainForm
        title={title}
        intro="You need an authenticator app, on your phone for example. Enter your password to go on."
        fields={[PASSWORD]}
        action="Set up"
        submit={async ({ password = '' }) => setSetUp(await auth.enableTotp(password))}
      />
    );
  }
  if (isDone) return <RecoveryCodes codes={setUp.backupCodes} />;
  return (
    <PlainForm
      key="code"
      title="Scan this code"
      intro={<ScannedCode uri={setUp.totpURI} />}
      fields={[CODE]}
      action="Turn on"
      submit={async ({ code = '' }) => {
        await auth.verifyTotp(code.replaceAll(' ', ''));
        setDone(true);
      }}
    />
  );
}

function ScannedCode({ uri }: { readonly uri: string }) {
  return (
    <>
      Scan it with your authenticator app, then enter the code that the app shows.
      <Box
        component="img"
        alt="QR code for your authenticator app"
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`}
        sx={{ width: 200, display: 'block', mx: 'auto', my: 2, backgroundColor: '#ffffff' }}
      />
      Or enter this by hand: <Plain text={new URL(uri).searchParams.get('secret') ?? ''} />
    </>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <Typography variant="h5" component="h1">
        Your recovery codes
      </Typography>
      <Typography>Keep them safe: each lets you in once without your app. They are shown only now.</Typography>
      <Plain text={codes.join(' ')} />
      <Button variant="contained" onClick={() => location.reload()}>
        Go on
      </Button>
    </>
  );
}

function Plain({ text }: { readonly text: string }) {
  return (
    <Box component="code" sx={{ fontFamily: MONOSPACE, fontSize: '0.9em', overflowWrap: 'anywhere' }}>
      {text}
    </Box>
  );
}

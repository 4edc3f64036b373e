import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { auth } from '../core/auth.ts';
import { MONOSPACE } from '../core/plain-theme.ts';
import { type Field, PlainForm } from '../pages/sign-in/form.tsx';
import { FrameHeading } from '../pages/sign-in/frame.tsx';
import { CONSOLE_PATH } from './layout.tsx';

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

/** Leads one of the staff to a second factor by the link that an operator has made. */
export function StaffEnrolment({ token }: { readonly token: string | null }) {
  if (token === null) return <NoLink />;
  return <SetUpSecondFactor title="The console needs a second factor" enrolmentToken={token} />;
}

interface SetUpProps {
  readonly title: string;
  /** Of the link by which one of the platform's staff sets it up. */
  readonly enrolmentToken?: string;
}

/** Leads a person from a password to a second factor, which is demanded. */
export function SetUpSecondFactor({ title, enrolmentToken }: SetUpProps) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [isDone, setDone] = useState(false);
  const goOn = () => (enrolmentToken === undefined ? location.reload() : location.assign(CONSOLE_PATH));
  if (setUp === null) {
    return (
      <PlainForm
        title={title}
        intro="You need an authenticator app, on your phone for example. Enter your password to go on."
        fields={[PASSWORD]}
        action="Set up"
        submit={async ({ password = '' }) => setSetUp(await auth.enableTotp(password, enrolmentToken))}
      />
    );
  }
  if (isDone) return <RecoveryCodes codes={setUp.backupCodes} goOn={goOn} />;
  return (
    <PlainForm
      key="code"
      title="Scan this code"
      intro={<ScannedCode uri={setUp.totpURI} />}
      fields={[CODE]}
      action="Turn on"
      submit={async ({ code = '' }) => {
        await auth.verifyTotp(code.replaceAll(' ', ''), enrolmentToken);
        setDone(true);
      }}
    />
  );
}

function NoLink() {
  return (
    <>
      <FrameHeading>The console needs a second factor</FrameHeading>
      <Typography>
        You set it up by a link, which an operator of the platform makes and gives to you. It is good for a day and
        once. Open it in this browser.
      </Typography>
    </>
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

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly goOn: () => void;
}

function RecoveryCodes({ codes, goOn }: RecoveryCodesProps) {
  return (
    <>
      <Typography variant="h5" component="h1">
        Your recovery codes
      </Typography>
      <Typography>Keep them safe: each lets you in once without your app. They are shown only now.</Typography>
      <Plain text={codes.join(' ')} />
      <Button variant="contained" onClick={goOn}>
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

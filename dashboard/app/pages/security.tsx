import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PasswordInput, Title } from 'react-admin';
import { renderSVG } from 'uqr';
import { messageOf } from '../core/message-of.ts';
import { auth, type PersonSession } from '../core/auth.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Code, CopyButton, Facts, Status, Time } from '../parts/fields.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { Line } from '../parts/line.tsx';
import { Secrets } from '../parts/secrets.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { roleName, usePlace } from '../core/session.ts';

export function SecurityPage() {
  const { person, role, merchantName } = usePlace();
  const queries = useQueryClient();
  const session = useQuery({ queryKey: ['auth', 'session'], queryFn: auth.readSession });
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['auth'] });
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="My security" />
      <Section title="You">
        <Facts
          rows={[
            ['Name', person.name],
            ['E-mail', person.email],
            ['Role', `${roleName(role)} of ${merchantName}`],
          ]}
        />
      </Section>
      <Section title="Password" actions={<ChangePassword onDone={readAgain} />}>
        <Typography color="textSecondary">Changing it ends all your other sessions.</Typography>
      </Section>
      <Loaded query={session}>
        {(data) => <SecondFactor isOn={data?.user.twoFactorEnabled === true} onDone={readAgain} />}
      </Loaded>
      <Sessions currentId={session.data?.session.id ?? null} onDone={readAgain} />
    </Box>
  );
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  return (
    <ActionButton
      label="Change password"
      title="Change your password"
      explanation="You stay signed in here, and nowhere else."
      act={({ current, next }) => auth.changePassword(String(current), String(next))}
      done="Your password is changed."
      onDone={onDone}
    >
      <PasswordInput
        source="current"
        label="Current password"
        validate={requiredText}
        autoComplete="current-password"
      />
      <PasswordInput
        source="next"
        label="New password"
        helperText="At least 12 characters"
        validate={(value: unknown) =>
          typeof value === 'string' && value.length >= 12 ? undefined : 'At least 12 characters.'
        }
        autoComplete="new-password"
      />
    </ActionButton>
  );
}

interface SetUp {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

const PASSWORD_INPUT = (
  <PasswordInput source="password" label="Your password" validate={requiredText} autoComplete="current-password" />
);

/** Codes of an authenticator app, and recovery codes for the day when it is lost. */
function SecondFactor({ isOn, onDone }: { readonly isOn: boolean; readonly onDone: () => void }) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section
      title="Second factor"
      actions={
        isOn ? (
          <>
            <ActionButton<{ backupCodes: string[] }>
              label="New recovery codes"
              title="Make new recovery codes"
              explanation="The old ones stop working."
              act={({ password }) => auth.newRecoveryCodes(String(password))}
              done="You have new recovery codes."
              onDone={({ backupCodes }) => setCodes(backupCodes)}
            >
              {PASSWORD_INPUT}
            </ActionButton>
            <ActionButton
              label="Turn off"
              title="Turn the second factor off?"
              explanation="Your password alone is enough to sign in then."
              isDangerous
              act={({ password }) => auth.disableTotp(String(password))}
              done="The second factor is off."
              onDone={onDone}
            >
              {PASSWORD_INPUT}
            </ActionButton>
          </>
        ) : (
          <ActionButton<SetUp>
            label="Set up"
            title="Set up a second factor"
            explanation="You need an authenticator app, on your phone for example."
            confirmLabel="Go on"
            act={({ password }) => auth.enableTotp(String(password))}
            done="Scan the code now."
            onDone={setSetUp}
          >
            {PASSWORD_INPUT}
          </ActionButton>
        )
      }
    >
      <Typography component="div">
        <Status of={isOn ? 'enabled' : 'disabled'} />{' '}
        {isOn ? 'Signing in takes a code of your authenticator app.' : 'Your password alone is enough to sign in.'}
      </Typography>
      {setUp === null ? null : (
        <ScanCode
          setUp={setUp}
          close={(isDone) => {
            if (isDone) setCodes(setUp.backupCodes);
            setSetUp(null);
            onDone();
          }}
        />
      )}
      {codes === null ? null : (
        <Secrets
          title="Your recovery codes"
          secrets={[['Recovery codes', codes.join(' ')]]}
          close={() => setCodes(null)}
        />
      )}
    </Section>
  );
}

function ScanCode({ setUp: { totpURI }, close }: { readonly setUp: SetUp; readonly close: (isDone: boolean) => void }) {
  const titleId = useId();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const check = () => {
    auth.verifyTotp(code.replaceAll(' ', '')).then(
      () => close(true),
      (error: unknown) => setFailure(messageOf(error)),
    );
  };
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <DialogTitle id={titleId}>Scan this code</DialogTitle>
        <DialogContent>
          <Typography sx={{ mb: 2 }}>
            Scan it with your authenticator app, then enter the code that the app shows.
          </Typography>
          <Box
            component="img"
            alt="QR code for your authenticator app"
            src={`data:image/svg+xml,${encodeURIComponent(renderSVG(totpURI))}`}
            sx={{ width: 200, display: 'block', mx: 'auto', backgroundColor: '#ffffff' }}
          />
          <Typography variant="body2" sx={{ my: 2 }}>
            Or enter this by hand: <Code wrap>{secret}</Code>
            <CopyButton text={secret} label="Copy the secret" />
          </Typography>
          <TextField
            label="Code"
            value={code}
            required
            fullWidth
            autoComplete="one-time-code"
            onChange={({ target }) => setCode(target.value)}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          />
          {failure === null ? null : <Alert severity="error">{failure}</Alert>}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={() => close(false)}>Back</Button>
          <Button type="submit" variant="contained">
            Turn on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Sessions({ currentId, onDone }: { readonly currentId: string | null; readonly onDone: () => void }) {
  const query = useQuery({ queryKey: ['auth', 'sessions'], queryFn: auth.listSessions });
  return (
    <Section
      title="Sessions"
      actions={
        <ActionButton
          label="End all others"
          title="End all other sessions?"
          explanation="You stay signed in here, and nowhere else."
          isDangerous
          act={auth.endOtherSessions}
          done="The other sessions are ended."
          onDone={onDone}
        />
      }
    >
      <Loaded query={query}>
        {(sessions) =>
          sessions.map((each) => (
            <SessionLine key={each.id} session={each} isCurrent={each.id === currentId} onDone={onDone} />
          ))
        }
      </Loaded>
    </Section>
  );
}

interface SessionLineProps {
  readonly session: PersonSession;
  readonly isCurrent: boolean;
  readonly onDone: () => void;
}

function SessionLine({
  session: { token, createdAt, lastUsedAt, ipAddress, userAgent },
  isCurrent,
  onDone,
}: SessionLineProps) {
  return (
    <Line
      name={
        <>
          {browserOf(userAgent ?? '')} {isCurrent ? '(this one)' : ''}
        </>
      }
      text={
        <>
          {ipAddress ?? ''} · since <Time at={createdAt} /> · last used <Time at={lastUsedAt} />
        </>
      }
    >
      {isCurrent ? null : (
        <ActionButton
          label="End"
          title="End this session?"
          explanation="Whoever uses it has to sign in again."
          isDangerous
          act={() => auth.endSession(token)}
          done="The session is ended."
          onDone={onDone}
        />
      )}
    </Line>
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A browser and its system, as its user agent names them. */
export function browserOf(userAgent: string): string {
  const nameIn = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [nameIn(BROWSERS) ?? 'A browser', nameIn(SYSTEMS)].filter((part) => part !== undefined).join(' on ');
}

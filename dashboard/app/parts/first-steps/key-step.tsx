import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { IssuedApiKey } from '../../../../sdk/server/generated/schemas.ts';
import { messageOf } from '../../core/message-of.ts';
import { createIdempotencyKeys } from '../../core/idempotency.ts';
import { useMay, usePlace } from '../../core/session.ts';
import { Code, CopyButton } from '../fields.tsx';
import { useData } from '../use-data.ts';
import type { SandboxKey } from './signed-payment.ts';

/** What a shop's server needs. */
const SCOPES = [
  'payment-intents:read',
  'payment-intents:write',
  'refunds:read',
  'refunds:write',
  'customers:read',
  'customers:write',
  'transactions:read',
  'events:read',
];

interface KeyStepProps {
  readonly sandboxKey: SandboxKey | null;
  readonly onKey: (key: SandboxKey) => void;
}

/** A key of the sandbox: a new one, or for those who may make none, one that they were given. */
export function KeyStep({ sandboxKey, onKey }: KeyStepProps) {
  const mayMakeKeys = useMay('api-keys:write');
  const mayPay = useMay('payment-intents:write');
  if (sandboxKey !== null) return <ShownKey sandboxKey={sandboxKey} />;
  if (mayMakeKeys && mayPay) return <NewKey onKey={onKey} />;
  return <GivenKey onKey={onKey} />;
}

function NewKey({ onKey }: Pick<KeyStepProps, 'onKey'>) {
  const { act } = useData();
  const { scopes } = usePlace();
  const [withKey, renewKeys] = useState(createIdempotencyKeys);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const make = async () => {
    setBusy(true);
    setFailure(null);
    const body = {
      name: 'First steps',
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      signatureVersion: 2,
      accountBound: true,
    };
    try {
      const { apiKey, secretSalt } = await withKey(body, (key) => act<IssuedApiKey>('api-keys', body, key));
      if (apiKey === null || secretSalt === null) {
        renewKeys(createIdempotencyKeys);
        throw new Error('The key was shown already. Make another one.');
      }
      onKey({ apiKey, secretSalt, signatureVersion: 2 });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Typography sx={{ mb: 2 }}>
        Your server signs each request with an API key and its secret salt. A key of the sandbox moves no real money.
      </Typography>
      <Button variant="contained" onClick={() => void make()} loading={isBusy}>
        Make a sandbox key
      </Button>
      {failure === null ? null : (
        <Alert severity="error" sx={{ mt: 2 }}>
          {failure}
        </Alert>
      )}
    </>
  );
}

function ShownKey({ sandboxKey: { apiKey, secretSalt } }: { readonly sandboxKey: SandboxKey }) {
  return (
    <>
      <Alert severity="warning" sx={{ mb: 2 }}>
        Copy both now. They are shown only here, and are gone when you leave this page.
      </Alert>
      {(
        [
          ['API key', apiKey],
          ['Secret salt', secretSalt],
        ] as const
      ).map(([name, value]) => (
        <Box key={name} sx={{ mb: 1 }}>
          <Typography variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Box sx={{ display: 'flex', alignItems: 'center' }}>
            <Code wrap>{value}</Code>
            <CopyButton text={value} label={`Copy ${name}`} />
          </Box>
        </Box>
      ))}
    </>
  );
}

const SANDBOX_KEY = /^svc_test_\S+$/;

function GivenKey({ onKey }: Pick<KeyStepProps, 'onKey'>) {
  const [apiKey, setApiKey] = useState('');
  const [secretSalt, setSecretSalt] = useState('');
  const isKey = SANDBOX_KEY.test(apiKey.trim());
  return (
    <Box
      component="form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onKey({ apiKey: apiKey.trim(), secretSalt: secretSalt.trim(), signatureVersion: 2 });
      }}
      sx={{ display: 'grid', gap: 2, maxWidth: '32rem' }}
    >
      <Typography>
        Your role cannot make payments, so no key of yours could. Ask an owner for a sandbox key on signature version 2,
        and enter it here. This page keeps it in its memory alone.
      </Typography>
      <TextField
        label="API key"
        value={apiKey}
        onChange={({ target }) => setApiKey(target.value)}
        error={apiKey !== '' && !isKey}
        helperText="A key of the sandbox begins with svc_test_"
      />
      <TextField
        label="Secret salt"
        type="password"
        value={secretSalt}
        onChange={({ target }) => setSecretSalt(target.value)}
      />
      <Box>
        <Button type="submit" variant="contained" disabled={!isKey || secretSalt.trim() === ''}>
          Use this key
        </Button>
      </Box>
    </Box>
  );
}

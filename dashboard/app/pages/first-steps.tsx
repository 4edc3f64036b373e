import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Title, useBasename } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import type { PaymentIntent } from '../../../sdk/server/generated/schemas.ts';
import { auth } from '../core/auth.ts';
import { pathOf, usePlace } from '../core/session.ts';
import { Id, Money, Status } from '../parts/fields.tsx';
import { KeyStep } from '../parts/first-steps/key-step.tsx';
import { RequestStep } from '../parts/first-steps/request-step.tsx';
import type { SandboxKey } from '../parts/first-steps/signed-payment.ts';
import { Section } from '../parts/section.tsx';
import { useRead } from '../parts/use-data.ts';

const POLL_EVERY_MS = 3_000;

/** From an API key to the first payment, in the sandbox. */
export function FirstStepsPage() {
  const { account, accounts } = usePlace();
  const sandbox = accounts.find(({ environment }) => environment === 'sandbox');
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 2, maxWidth: '60rem', '& > *': { minWidth: 0 } }}>
      <Title title="First steps" />
      {account.environment === 'sandbox' ? (
        <Steps />
      ) : (
        <Alert
          severity="info"
          action={
            sandbox === undefined ? null : (
              <Button component={RouterLink} to={`${pathOf(sandbox)}/first-steps`} color="inherit" size="small">
                Go to the sandbox
              </Button>
            )
          }
        >
          The first steps are made in the sandbox, where no real money moves.
        </Alert>
      )}
    </Box>
  );
}

function Steps() {
  // In memory alone: it is gone when the page is left.
  const [key, setKey] = useState<SandboxKey | null>(null);
  const { data: options } = useQuery({ queryKey: ['sign-in options'], queryFn: () => auth.options() });
  const newest = useRead<readonly PaymentIntent[]>('payment-intents', {
    query: { limit: 1 },
    poll: (payments) => (payments?.length === 0 ? POLL_EVERY_MS : false),
  });
  const payment = newest.data?.[0];
  return (
    <>
      <Section title="1. Get an API key">
        <KeyStep sandboxKey={key} onKey={setKey} />
      </Section>
      <Section title="2. Make a payment">
        {key === null ? (
          <Typography color="textSecondary">First get a key.</Typography>
        ) : (
          <RequestStep sandboxKey={key} apiUrl={options?.apiUrl ?? null} onSent={() => void newest.refetch()} />
        )}
      </Section>
      <Section title="3. See the payment">
        <Box role="status" sx={{ minHeight: '2.5rem' }}>
          {payment === undefined ? (
            <Typography color="textSecondary">
              Waiting for your first payment. This page notices it by itself.
            </Typography>
          ) : (
            <NewestPayment payment={payment} />
          )}
        </Box>
      </Section>
      <Section title="4. Go on">
        <NextSteps apiUrl={options?.apiUrl ?? null} />
      </Section>
    </>
  );
}

function NewestPayment({ payment: { id, amount, currency, status } }: { readonly payment: PaymentIntent }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
      <Typography component="span">Your payment has come:</Typography>
      <Money minor={amount} currency={currency} />
      <Status of={status} />
      <Id id={id} />
      <PageLink to={`payment-intents/${id}/show`}>Open the payment</PageLink>
    </Box>
  );
}

function NextSteps({ apiUrl }: { readonly apiUrl: string | null }) {
  return (
    <Box component="ul" sx={{ m: 0, pl: 3, display: 'grid', gap: 0.75 }}>
      <li>
        <PageLink to="webhook-endpoints">Webhook endpoints</PageLink>: your server learns of each payment&apos;s
        outcome.
      </li>
      <li>
        <PageLink to="events">Events</PageLink>: what happened, step by step.
      </li>
      <li>
        <PageLink to="api-keys">API keys</PageLink>: rotate or revoke the key of these steps.
      </li>
      {apiUrl === null ? null : (
        <li>
          <Link href={`${apiUrl}/docs/`} target="_blank" rel="noreferrer">
            Documentation
          </Link>
          : each operation of the API, with forms that send it.
        </li>
      )}
    </Box>
  );
}

function PageLink({ to, children }: { readonly to: string; readonly children: string }) {
  const basename = useBasename();
  return (
    <Link component={RouterLink} to={`${basename}/${to}`}>
      {children}
    </Link>
  );
}

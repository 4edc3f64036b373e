import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { lazy, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isStaff, SECOND_FACTOR_DEMANDED, secondFactorStep } from '../console/staff.ts';
import { signInAddress } from '../core/addresses.ts';
import { auth } from '../core/auth.ts';
import { landingPath } from '../core/landing.ts';
import { RequestError } from '../core/request.ts';
import { readSession } from '../core/session.ts';
import { NOT_SHOWN } from '../parts/section.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { PlainForm } from './sign-in/form.tsx';
import { FrameHeading, SignInFrame } from './sign-in/frame.tsx';

/** Few need it. */
const SetUpSecondFactor = lazy(async () => ({
  default: (await import('../console/second-factor.tsx')).SetUpSecondFactor,
}));

/** Leads to the pages of the person's first account, or to the sign-in. */
export function Start() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    readSession()
      .then(async (session) => {
        const [first] = session.accounts;
        return first === undefined
          ? setFailure(new Error('Your team has no account.'))
          : navigate(await landingPath(session, first), { replace: true });
      })
      .catch(async (error: unknown) => {
        const isSignedOut = error instanceof RequestError && error.status === 401;
        if (isSignedOut) return location.replace(signInAddress('/'));
        if (isWithoutTeam(error) && (await isStaff())) return navigate('/console', { replace: true });
        return setFailure(error instanceof Error ? error : new Error(String(error)));
      });
  }, [navigate]);
  if (failure === null) return <Waiting />;
  return (
    <SignInFrame>
      <WhatIsMissing failure={failure} />
      <Button onClick={() => location.reload()}>Try again</Button>
      <Button onClick={() => void auth.signOut().finally(() => location.assign('/sign-in'))}>Sign out</Button>
    </SignInFrame>
  );
}

/** What the person does before there is a page; or why there is none. */
function WhatIsMissing({ failure }: { readonly failure: Error }) {
  if (isWithoutTeam(failure)) return <NoTeam />;
  if (secondFactorStep(failure) === 'set up') return <SetUpSecondFactor title={SECOND_FACTOR_DEMANDED} />;
  return (
    <>
      <FrameHeading>{NOT_SHOWN}</FrameHeading>
      <Alert severity="error">{failure.message}</Alert>
    </>
  );
}

function isWithoutTeam(error: unknown): boolean {
  return error instanceof RequestError && error.reason === 'no_team';
}

/** For who signed up with another service, or was removed from a team. */
function NoTeam() {
  return (
    <PlainForm
      title="You are in no team"
      intro="Open the link of an invitation, or begin with a company of your own, where sign-up is open."
      fields={[{ name: 'merchantName', label: 'Name of your company', autoComplete: 'organization' }]}
      action="Begin"
      submit={async ({ merchantName = '' }) => {
        await auth.createMerchant(merchantName);
        location.reload();
      }}
    />
  );
}

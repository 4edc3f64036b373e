import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { signInAddress } from '../core/addresses.ts';
import { RequestError } from '../core/request.ts';
import { pathOf, readSession } from '../core/session.ts';
import { SignInFrame } from './sign-in/frame.tsx';

/** Leads to the payments of the person's first account, or to the sign-in. */
export function Start() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    readSession()
      .then(({ accounts }) => {
        const [first] = accounts;
        if (first === undefined)
          return setFailure('No account belongs to you. Ask the owner of your team for an invitation.');
        return navigate(pathOf(first), { replace: true });
      })
      .catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 401)
          return navigate(signInAddress('/'), { replace: true });
        return setFailure(error instanceof Error ? error.message : String(error));
      });
  }, [navigate]);
  if (failure === null) return null;
  return (
    <SignInFrame>
      <Alert severity="error">{failure}</Alert>
      <Button onClick={() => location.reload()}>Try again</Button>
    </SignInFrame>
  );
}

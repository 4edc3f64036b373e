import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import { useEffect, useId, useState } from 'react';
import { signInAddress } from '../core/addresses.ts';
import { auth, type SignInOptions } from '../core/auth.ts';
import { signInAgainBy } from '../core/request.ts';
import { checkFactor, explainSignIn, SECOND_FACTORS, type SecondFactor, signInByPassword } from '../core/sign-in.ts';
import { type Field, PlainForm } from '../pages/sign-in/form.tsx';
import { useQuestion } from '../parts/use-question.ts';

const TITLE = 'Your session has ended';
const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
};

interface Person {
  readonly id: string;
  readonly email: string;
}

interface SignInAgainProps {
  /** Whose page it is. */
  readonly person: Person;
  /** Who is signed in now. @throws RequestError */
  readonly readPerson: () => Promise<Person>;
}

/** A dialog over the page whose session has ended: what was typed into the page stays, and its requests go on afterwards. */
export function SignInAgain({ person, readPerson }: SignInAgainProps) {
  const question = useQuestion(signInAgainBy);
  const titleId = useId();
  if (question === null) return null;
  const goOn = async () => {
    const { id } = await readPerson();
    if (id === person.id) question.answer(true);
    // What is on the page is of somebody else.
    else location.reload();
  };
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Steps titleId={titleId} email={person.email} onSignedIn={goOn} />
        <Button onClick={() => location.assign(signInAddress(location.pathname + location.search))}>
          Leave this page
        </Button>
      </DialogContent>
    </Dialog>
  );
}

interface StepsProps {
  readonly titleId: string;
  readonly email: string;
  readonly onSignedIn: () => Promise<void>;
}

/** The password, and the second factor of who has one. */
function Steps({ titleId, email, onSignedIn }: StepsProps) {
  const [factor, setFactor] = useState<SecondFactor | null>(null);
  const elsewhere = useSignInElsewhere();
  const [isElsewhere, setElsewhere] = useState(false);
  if (isElsewhere)
    return (
      <PlainForm
        title={TITLE}
        titleId={titleId}
        intro={`Sign in with ${elsewhere ?? ''} in the other tab, then come back: what you have typed stays.`}
        fields={[]}
        action="I have signed in"
        submit={onSignedIn}
      />
    );
  if (factor === null)
    return (
      <PlainForm
        title={TITLE}
        titleId={titleId}
        intro={`Sign in again as ${email}: the page goes on where it was, and what you have typed stays.`}
        fields={[PASSWORD]}
        action="Sign in"
        explain={explainSignIn}
        submit={async ({ password = '' }) => {
          const asked = await signInByPassword(email, password);
          if (asked === null) await onSignedIn();
          else setFactor(asked);
        }}
      >
        {elsewhere === null ? null : (
          <Button variant="outlined" href="/sign-in" target="_blank" onClick={() => setElsewhere(true)}>
            Sign in with {elsewhere} in another tab
          </Button>
        )}
      </PlainForm>
    );
  const { title, intro, field, other, otherFactor } = SECOND_FACTORS[factor];
  return (
    <PlainForm
      key={factor}
      title={title}
      titleId={titleId}
      intro={intro}
      fields={[field]}
      action="Sign in"
      submit={async ({ code = '' }) => {
        await checkFactor(factor, code);
        await onSignedIn();
      }}
    >
      <Button onClick={() => setFactor(otherFactor)}>{other}</Button>
    </PlainForm>
  );
}

/** The name of the service that people may sign in with as well; null without one. That sign-in leads away from the page. */
function useSignInElsewhere(): string | null {
  const [options, setOptions] = useState<SignInOptions | null>(null);
  useEffect(() => {
    auth.options().then(setOptions, () => undefined);
  }, []);
  return options?.openIdProvider ?? null;
}

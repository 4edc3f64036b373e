import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { auth } from '../core/auth.ts';
import { messageOf } from '../core/message-of.ts';
import { confirmPersonBy } from '../core/request.ts';
import { type Question, useQuestion } from './use-question.ts';

const CODE = /^\d{3} ?\d{3}$/;

/** Asks for the password or a code where the API takes a request only from who has proved lately who it is. */
export function ConfirmPerson() {
  const question = useQuestion(confirmPersonBy);
  return question === null ? null : <Confirmation {...question} />;
}

function Confirmation({ answer }: Question) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const titleId = useId();
  const submit = async (given: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await (CODE.test(given.trim()) ? auth.verifyTotp(given.replaceAll(' ', '')) : auth.verifyPassword(given));
      answer(true);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Not for the form of the dialog below, which React would tell too.
          event.stopPropagation();
          const given = new FormData(event.currentTarget).get('proof');
          void submit(typeof given === 'string' ? given : '');
        }}
      >
        <DialogTitle id={titleId}>Confirm that it is you</DialogTitle>
        <DialogContent>
          <Typography sx={{ mb: 2 }}>
            Enter your password, or a code of your authenticator app. You are not asked again for ten minutes. If you
            sign in with another service, sign out and in again instead.
          </Typography>
          <TextField
            name="proof"
            label="Password or code"
            type="password"
            autoComplete="current-password"
            required
            fullWidth
          />
          {failure === null ? null : (
            <Alert severity="error" sx={{ mt: 2 }}>
              {failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={() => answer(false)} disabled={isBusy}>
            Not now
          </Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

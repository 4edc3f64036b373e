import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { Form, useNotify } from 'react-admin';
import { messageOf } from '../core/message-of.ts';
import { createIdempotencyKeys } from '../core/idempotency.ts';
import { RequestError } from '../core/request.ts';

type Values = Record<string, unknown>;

const NO_RECORD = {};

export interface ActionProps<Result> {
  /** On the button, and on the one that confirms. */
  readonly label: string;
  readonly title: string;
  /** What will happen. */
  readonly explanation: ReactNode;
  readonly confirmLabel?: string;
  readonly isDangerous?: boolean;
  readonly icon?: ReactNode;
  readonly variant?: 'contained' | 'outlined' | 'text';
  /** Why the button is of no use now; null where it is. */
  readonly disabledReason?: string | null;
  readonly defaultValues?: Values;
  /** The inputs. */
  readonly children?: ReactNode;
  /** @param idempotencyKey the same for every try with the same values, unless the API has refused it */
  readonly act: (values: Values, idempotencyKey: string) => Promise<Result>;
  /** What is said when it is done. */
  readonly done: string;
  readonly onDone?: (result: Result) => void;
}

/** A button that asks for confirmation, and does something once, however often it is tried. */
export function ActionButton<Result>(props: ActionProps<Result>) {
  const { label, icon, isDangerous = false, variant = 'outlined', disabledReason = null } = props;
  const [isOpen, setOpen] = useState(false);
  const reasonId = useId();
  return (
    <>
      <Button
        size="small"
        variant={variant}
        color={isDangerous ? 'error' : 'primary'}
        startIcon={icon}
        disabled={disabledReason !== null}
        {...(disabledReason === null ? {} : { title: disabledReason, 'aria-describedby': reasonId })}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {disabledReason === null ? null : (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
      {isOpen ? <Confirmation {...props} close={() => setOpen(false)} /> : null}
    </>
  );
}

/** Asks for confirmation. @param props as of a button; `close` is called in the end */
export function Confirmation<Result>(props: ActionProps<Result> & { readonly close: () => void }) {
  const { title, explanation, label, confirmLabel = label, isDangerous = false, defaultValues, children } = props;
  const { act, done, onDone, close } = props;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const titleId = useId();
  const notify = useNotify();
  const [withKey] = useState(createIdempotencyKeys);
  const submit = async (values: Values) => {
    setBusy(true);
    setFailure(null);
    try {
      const result = await withKey(values, (key) => act(values, key));
      close();
      notify(done, { type: 'success' });
      onDone?.(result);
      return undefined;
    } catch (error) {
      setFailure(messageOf(error));
      return error instanceof RequestError ? error.body.errors : undefined;
    } finally {
      setBusy(false);
    }
  };
  // A click beside the dialog leaves it open: it may be the second one of a double click, or lose what was entered.
  const closeByKey = (_event: object, reason: string) => {
    if (!isBusy && reason === 'escapeKeyDown') close();
  };
  return (
    <Dialog open onClose={closeByKey} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <Form
        onSubmit={submit}
        // Otherwise the resource of the page would fill in the inputs: its amount in minor units that of a refund.
        record={NO_RECORD}
        disableInvalidFormNotification
        {...(defaultValues === undefined ? {} : { defaultValues })}
      >
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent>
          <Typography component="div" sx={{ mb: 2 }}>
            {explanation}
          </Typography>
          {children}
          {failure === null ? null : <Alert severity="error">{failure}</Alert>}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={close} disabled={isBusy}>
            Back
          </Button>
          <Button type="submit" variant="contained" color={isDangerous ? 'error' : 'primary'} loading={isBusy}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

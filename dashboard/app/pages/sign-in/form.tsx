import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../core/message-of.ts';
import { RequestError } from '../../core/request.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autoComplete: string;
  readonly hint?: string;
  readonly minimumLength?: number;
  readonly isNumeric?: boolean;
}

export const EMAIL: Field = { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' };
export const NEW_PASSWORD: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autoComplete: 'new-password',
  hint: 'At least 12 characters',
  minimumLength: 12,
};

type Values = Readonly<Record<string, string>>;

interface PlainFormProps {
  readonly title: string;
  /** The id of the heading, where it is the name of a dialog. */
  readonly titleId?: string;
  readonly intro?: ReactNode;
  readonly fields: readonly Field[];
  readonly action: string;
  /** What is said of an error; undefined for its own message. */
  readonly explain?: (error: RequestError) => ReactNode;
  readonly submit: (values: Values) => Promise<void>;
  readonly children?: ReactNode;
}

/** A form of the pages without a session: fields, one button, and what went wrong. */
export function PlainForm({ title, titleId, intro, fields, action, explain, submit, children }: PlainFormProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReactNode>(null);
  useEffect(() => {
    const before = document.title;
    document.title = `${title} – Payment engine`;
    return () => {
      document.title = before;
    };
  }, [title]);
  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure(null);
    const data = new FormData(form);
    try {
      await submit(Object.fromEntries(fields.map(({ name, type }) => [name, textOf(data.get(name), type)])));
    } catch (error) {
      const explained = error instanceof RequestError ? explain?.(error) : undefined;
      setFailure(explained ?? messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Typography id={titleId} variant="h5" component="h1">
        {title}
      </Typography>
      {intro === undefined ? null : <Typography color="textSecondary">{intro}</Typography>}
      {failure === null ? null : <Alert severity="error">{failure}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
        style={{ display: 'flex', flexDirection: 'column', gap: '1rem' }}
      >
        {fields.map(({ name, label, type = 'text', autoComplete, hint, minimumLength, isNumeric = false }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            // Browsers refuse addresses beyond ASCII in a field for e-mail; the server says what is wrong.
            type={type === 'email' ? 'text' : type}
            required
            fullWidth
            size="small"
            autoComplete={autoComplete}
            {...(hint === undefined ? {} : { helperText: hint })}
            slotProps={{
              htmlInput: {
                ...(minimumLength === undefined ? {} : { minLength: minimumLength }),
                ...(isNumeric ? { inputMode: 'numeric' } : {}),
                ...(type === 'email' ? { inputMode: 'email', autoCapitalize: 'none' } : {}),
              },
            }}
          />
        ))}
        <Button type="submit" variant="contained" loading={isBusy}>
          {action}
        </Button>
      </form>
      {children}
    </>
  );
}

/** A password stays as it was typed: its blanks count wherever else it is asked for. */
function textOf(value: FormDataEntryValue | null, type: Field['type']): string {
  if (typeof value !== 'string') return '';
  return type === 'password' ? value : value.trim();
}

import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import { useId, useState } from 'react';
import { useRefresh } from 'react-admin';
import { Code, CopyButton } from './fields.tsx';

interface SecretsProps {
  readonly title: string;
  /** Names and values; null where another session had them already. */
  readonly secrets: readonly (readonly [name: string, value: string | null])[];
  readonly close: () => void;
}

/** A dialog with secrets that were made just now; the page is read again when it closes. */
export function useSecrets() {
  const refresh = useRefresh();
  const [shown, show] = useState<Omit<SecretsProps, 'close'> | null>(null);
  const close = () => {
    show(null);
    refresh();
  };
  return { show, dialog: shown === null ? null : <Secrets {...shown} close={close} /> };
}

/** Secrets that are shown once. They are kept nowhere else, so the dialog closes by its button alone. */
export function Secrets({ title, secrets, close }: SecretsProps) {
  const titleId = useId();
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Alert severity="warning" sx={{ mb: 2 }}>
          Copy this now. It is shown only once.
        </Alert>
        {secrets.map(([name, value]) => (
          <Box key={name} sx={{ mb: 2 }}>
            <Typography variant="body2" color="textSecondary">
              {name}
            </Typography>
            {value === null ? (
              <Typography>It was shown already, and cannot be shown again.</Typography>
            ) : (
              <Box sx={{ display: 'flex', alignItems: 'center' }}>
                <Code wrap>{value}</Code>
                <CopyButton text={value} label={`Copy ${name}`} />
              </Box>
            )}
          </Box>
        ))}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={close}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

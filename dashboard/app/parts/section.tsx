import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { LoadingBlock } from './waiting.tsx';

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, with a heading. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <Paper variant="outlined" component="section" aria-label={title} sx={{ p: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1.5 }}>
        <Typography variant="h6" component="h2" sx={{ flexGrow: 1, fontSize: '1.05rem' }}>
          {title}
        </Typography>
        {actions}
      </Box>
      {children}
    </Paper>
  );
}

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** What is said where `isEmpty` holds. */
  readonly empty?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a request brought; until then, or where it failed, a notice that helps. */
export function Loaded<Data>({ query: { data, error, refetch }, empty, children }: LoadedProps<Data>) {
  if (data === undefined && error === null) return <LoadingBlock height={64} />;
  if (data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (empty !== undefined && Array.isArray(data) && data.length === 0)
    return <Typography color="textSecondary">{empty}</Typography>;
  return <>{children(data)}</>;
}

/** The heading of a page of which nothing can be shown. */
export const NOT_SHOWN = 'This page cannot be shown';

/** Why something could not be read, with a button that tries again. */
export function Failed({ error, retry }: { readonly error: Error | null; readonly retry: () => void }) {
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" size="small" onClick={retry}>
          Try again
        </Button>
      }
    >
      {error?.message ?? 'This could not be read.'}
    </Alert>
  );
}

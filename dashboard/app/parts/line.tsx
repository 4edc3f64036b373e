import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface LineProps {
  readonly name: ReactNode;
  readonly text: ReactNode;
  readonly children: ReactNode;
}

/** One of a list: what it is, what is said about it, and its buttons. */
export function Line({ name, text, children }: LineProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
        borderTop: 1,
        borderColor: 'divider',
        py: 1,
      }}
    >
      <Box sx={{ flexGrow: 1, minWidth: '14rem' }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {text}
        </Typography>
      </Box>
      {children}
    </Box>
  );
}

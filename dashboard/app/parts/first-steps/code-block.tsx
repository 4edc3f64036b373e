import Box from '@mui/material/Box';
import { MONOSPACE } from '../../core/plain-theme.ts';

/** Text of a program: it scrolls by itself, by keyboard too. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Box
      component="pre"
      role="region"
      aria-label={label}
      tabIndex={0}
      sx={{
        fontFamily: MONOSPACE,
        fontSize: '0.8rem',
        m: 0,
        p: 1.5,
        pr: 5,
        maxHeight: '22rem',
        overflow: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        backgroundColor: 'action.hover',
      }}
    >
      {text}
    </Box>
  );
}

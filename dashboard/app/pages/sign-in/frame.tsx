import Box from '@mui/material/Box';
import CssBaseline from '@mui/material/CssBaseline';
import Paper from '@mui/material/Paper';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { plainTheme } from '../../core/plain-theme.ts';

/** The heading of a page in this frame. */
export function FrameHeading({ children }: { readonly children: string }) {
  return (
    <Typography variant="h5" component="h1">
      {children}
    </Typography>
  );
}

/** The frame of the pages that need no session. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const theme = useMemo(() => createTheme(plainTheme(isDark ? 'dark' : 'light')), [isDark]);
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <Box component="main" sx={{ maxWidth: 440, mx: 'auto', px: 2, py: { xs: 3, sm: 8 } }}>
        <Typography sx={{ fontWeight: 700, mb: 2 }}>Payment engine</Typography>
        <Paper variant="outlined" sx={{ p: 3, display: 'flex', flexDirection: 'column', gap: 2 }}>
          {children}
        </Paper>
      </Box>
    </ThemeProvider>
  );
}

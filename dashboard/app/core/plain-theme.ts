import { alpha, type ThemeOptions } from '@mui/material/styles';

const FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";
export const MONOSPACE = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

const PALETTES = {
  light: {
    primary: { main: '#0c5a4c', contrastText: '#ffffff' },
    secondary: { main: '#1c4f9c', contrastText: '#ffffff' },
    success: { main: '#1c6032' },
    error: { main: '#a02622' },
    warning: { main: '#7a4a00' },
    info: { main: '#1c4f9c' },
    background: { default: '#f5f7f8', paper: '#ffffff' },
    text: { primary: '#1b2429', secondary: '#51606a' },
  },
  dark: {
    primary: { main: '#6fd3bd', contrastText: '#08201b' },
    secondary: { main: '#94bdf6', contrastText: '#0b1a2e' },
    success: { main: '#9ad9a5' },
    error: { main: '#ff9d95' },
    warning: { main: '#f2c572' },
    info: { main: '#94bdf6' },
    background: { default: '#12161a', paper: '#1a2026' },
    text: { primary: '#e6ebee', secondary: '#a7b4bd' },
  },
} as const;

/** Colours, letters and shapes; without react-admin, which the sign-in pages do not load. */
export function plainTheme(mode: 'light' | 'dark') {
  return {
    palette: { mode, ...PALETTES[mode] },
    shape: { borderRadius: 8 },
    typography: { fontFamily: FONT, h6: { fontWeight: 600 }, button: { textTransform: 'none', fontWeight: 600 } },
    components: COMPONENTS,
  } satisfies ThemeOptions;
}

export const COMPONENTS: NonNullable<ThemeOptions['components']> = {
  MuiCssBaseline: {
    styleOverrides: {
      ':focus-visible': { outline: '3px solid #4f8ae0', outlineOffset: 1 },
      '@media (prefers-reduced-motion: reduce)': {
        '*, ::before, ::after': { transition: 'none !important', animationDuration: '0.01ms !important' },
      },
    },
  },
  MuiAlert: { styleOverrides: { message: { minWidth: 0, overflow: 'visible', overflowWrap: 'anywhere' } } },
  MuiDialogTitle: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
  MuiChip: {
    styleOverrides: {
      root: ({ ownerState, theme }) => {
        const color = ownerState.color ?? 'default';
        if (color === 'default') return { fontWeight: 600 };
        const { main } = theme.palette[color as 'success'];
        return {
          fontWeight: 600,
          color: main,
          backgroundColor: alpha(main, theme.palette.mode === 'light' ? 0.1 : 0.16),
        };
      },
    },
  },
};

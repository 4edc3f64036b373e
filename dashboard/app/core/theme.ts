import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from 'react-admin';
import { COMPONENTS, plainTheme } from './plain-theme.ts';
import type { Environment } from './request.ts';

/** The bar at the top shows at a glance whether money is real. */
export const ENVIRONMENT_COLORS: Readonly<Record<Environment, { readonly background: string; readonly text: string }>> =
  {
    sandbox: { background: '#f2b73f', text: '#241800' },
    production: { background: '#0c5a4c', text: '#ffffff' },
  };

/** The theme of the pages around react-admin's own. */
export function themeFor(mode: 'light' | 'dark'): RaThemeOptions {
  const base = mode === 'light' ? defaultLightTheme : defaultDarkTheme;
  return {
    ...base,
    ...plainTheme(mode),
    sidebar: { width: 240, closedWidth: 55 },
    components: { ...base.components, ...COMPONENTS },
  };
}

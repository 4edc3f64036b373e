import type { CardFieldsTheme } from '../types.ts';

const COLOR = /^(#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|(rgb|hsl)a?\([\d.%, /]{1,60}(deg[\d.%, /]{1,60})?\))$/i;
const LENGTH = /^\d{1,3}(\.\d{1,3})?(px|rem|em)$/;
const FONT_NAMES = /^[\w\- "',]{1,200}$/;

/** Every variable that a page may set, and what its value must be: nothing that could load, cover or move anything. */
const VARIABLES = {
  '--text': COLOR,
  '--label': COLOR,
  '--placeholder': COLOR,
  '--background': COLOR,
  '--page': COLOR,
  '--border': COLOR,
  '--focus': COLOR,
  '--error': COLOR,
  '--font-family': FONT_NAMES,
  '--font-size': LENGTH,
  '--border-radius': LENGTH,
  '--border-width': LENGTH,
  '--field-height': LENGTH,
  '--gap': LENGTH,
} as const satisfies Readonly<Record<keyof CardFieldsTheme, RegExp>>;

/** The variables of a theme that may be set, and the names of those that may not. */
export function checkTheme(theme: Readonly<Record<string, string>>): {
  readonly accepted: readonly (readonly [name: string, value: string])[];
  readonly refused: readonly string[];
} {
  const known: Readonly<Record<string, RegExp>> = VARIABLES;
  const isAccepted = ([name, value]: readonly [string, string]): boolean =>
    Object.hasOwn(known, name) && known[name]?.test(value) === true;
  const entries = Object.entries(theme);
  return {
    accepted: entries.filter(isAccepted),
    refused: entries.filter((entry) => !isAccepted(entry)).map(([name]) => name),
  };
}

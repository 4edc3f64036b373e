import type { Settings } from './read-variables.ts';
import { type ProgramName, READ_BY, SECRET_VARIABLES, type VariableName } from './variables.ts';

/** A variable that a program reads, without its value. */
export interface SettingState {
  readonly name: string;
  /** Whether it has a value; otherwise its default holds, if it has one. */
  readonly isSet: boolean;
  /** Whether the value is a secret, or names a file with one. */
  readonly isSecret: boolean;
}

/** The variables that a program reads, by name. */
export function settingStatesOf(program: ProgramName, settings: Settings = process.env): readonly SettingState[] {
  const names = (Object.keys(READ_BY) as VariableName[]).filter((name) => READ_BY[name].includes(program));
  return names.sort().map((name) => ({
    name,
    isSet: Boolean(settings[name]?.trim()),
    isSecret: SECRET_VARIABLES.includes(name),
  }));
}

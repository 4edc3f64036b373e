import type { Settings } from './read-variables.ts';
import { type ProgramName, READ_BY, SECRET_VARIABLES, VARIABLE_NAMES, type VariableName } from './variables.ts';

/** The settings without the variables that only other programs read. What is none of our variables stays. */
export function settingsOf(program: ProgramName, settings: Settings): Settings {
  const others = new Map(Object.entries(READ_BY).filter(([, programs]) => !programs.includes(program)));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !others.has(name)));
}

/** The settings without all variables of ours: for programs that read none of them. */
export function settingsForOtherPrograms(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !VARIABLE_NAMES.includes(name)));
}

/** Warns of each secret that is set and that the program does not read: whoever takes the process over has it too. */
export function warnOfUnneededSecrets(
  program: ProgramName,
  warn: (message: string) => void,
  settings: Settings = process.env,
): void {
  for (const name of SECRET_VARIABLES) {
    if (READ_BY[name].includes(program) || !settings[name]?.trim()) continue;
    warn(`${name} is set, and ${program} does not use it: leave it out of the environment of this process.`);
  }
}

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

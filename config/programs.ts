import type { Settings } from './read-variables.ts';
import {
  environmentNamesOf,
  type ProgramName,
  SECRET_VARIABLES,
  VARIABLE_NAMES,
  type VariableName,
  variableOf,
} from './variables.ts';

/** The settings without the variables that only other programs read. What is none of our variables stays. */
export function settingsOf(program: ProgramName, settings: Settings): Settings {
  return without(
    settings,
    VARIABLE_NAMES.filter((name) => !isReadBy(name, program)),
  );
}

/** The settings without all variables of ours: for programs that read none of them. */
export function settingsForOtherPrograms(settings: Settings): Settings {
  return without(settings, VARIABLE_NAMES);
}

function without(settings: Settings, names: readonly VariableName[]): Settings {
  const left = new Set(names.flatMap(environmentNamesOf));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !left.has(name)));
}

function isReadBy(name: VariableName, program: ProgramName): boolean {
  return variableOf(name).readBy.includes(program);
}

/** Whether a variable is set, by its own name or by that of a file. */
export function isSet(name: VariableName, settings: Settings): boolean {
  return environmentNamesOf(name).some((one) => Boolean(settings[one]?.trim()));
}

/** Warns of each secret that is set and that the program does not read: whoever takes the process over has it too. */
export function warnOfUnneededSecrets(
  program: ProgramName,
  warn: (message: string) => void,
  settings: Settings = process.env,
): void {
  for (const name of SECRET_VARIABLES) {
    if (isReadBy(name, program) || !isSet(name, settings)) continue;
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
  const names = VARIABLE_NAMES.filter((name) => isReadBy(name, program));
  return names.toSorted().map((name) => ({
    name,
    isSet: isSet(name, settings),
    isSecret: SECRET_VARIABLES.includes(name),
  }));
}

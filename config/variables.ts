import type { z } from 'zod';
import { CONNECTIONS } from './variables/connections.ts';
import { KEYS } from './variables/keys.ts';
import { PROVIDERS, WORKER } from './variables/paying.ts';
import { PEOPLE } from './variables/people.ts';
import { SERVING } from './variables/serving.ts';
import { CODEC_SERVER, SANDBOX, START } from './variables/tools.ts';
import type { ProgramName, Variable, VariableGroup } from './variables/variable.ts';

export { HIGHEST_PORT, type ProgramName } from './variables/variable.ts';

/** Every variable by subject, in the order in which an operator reads them. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  CONNECTIONS,
  KEYS,
  SERVING,
  PROVIDERS,
  WORKER,
  PEOPLE,
  CODEC_SERVER,
  SANDBOX,
  START,
];

/** Every variable that is read. */
export const VARIABLES = {
  ...CONNECTIONS.variables,
  ...KEYS.variables,
  ...SERVING.variables,
  ...PROVIDERS.variables,
  ...WORKER.variables,
  ...PEOPLE.variables,
  ...CODEC_SERVER.variables,
  ...SANDBOX.variables,
  ...START.variables,
};

export type VariableName = keyof typeof VARIABLES;
/** What a variable's text is parsed to. */
export type Value<Name extends VariableName> = z.output<(typeof VARIABLES)[Name]['schema']>;
export type Values<Name extends VariableName> = {
  [Key in Name]: undefined extends Input<Key> ? Value<Key> : Value<Key> | null;
};
type Input<Name extends VariableName> = z.input<(typeof VARIABLES)[Name]['schema']>;
/** The variables that a program reads. */
export type VariableOf<Program extends ProgramName> = {
  [Name in VariableName]: Program extends (typeof VARIABLES)[Name]['readBy'][number] ? Name : never;
}[VariableName];

export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];

/** The entry of a variable, without the type of its value. */
export function variableOf(name: VariableName): Variable {
  return VARIABLES[name];
}

/** The variables that a program reads. */
export function variablesOf<Program extends ProgramName>(program: Program): readonly VariableOf<Program>[] {
  const isOfProgram = (name: VariableName): name is VariableOf<Program> => variableOf(name).readBy.includes(program);
  return VARIABLE_NAMES.filter(isOfProgram);
}

/** The variables that hold a secret, or name a file with one. */
export const SECRET_VARIABLES: readonly VariableName[] = VARIABLE_NAMES.filter((name) => variableOf(name).isSecret);

/** The variable that names a file with the value of a secret one; null for those that have none. */
export function fileVariableOf(name: VariableName): string | null {
  return variableOf(name).isSecret && !name.endsWith('_FILE') ? `${name}_FILE` : null;
}

/** The names under which an environment may have a variable: its own, and that of a file with its value. */
export function environmentNamesOf(name: VariableName): readonly string[] {
  const file = fileVariableOf(name);
  return file === null ? [name] : [name, file];
}

/** The ports on which `npm start` runs its servers. */
export const PORT_VARIABLES = [
  'PORT',
  'POSTGRES_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'SIMULATOR_ALPHA_PORT',
  'SIMULATOR_BETA_PORT',
  'DEMO_PORT',
  'CODEC_SERVER_PORT',
  'DASHBOARD_PORT',
  'MAILBOX_PORT',
  'MAILBOX_SMTP_PORT',
] as const satisfies readonly VariableName[];

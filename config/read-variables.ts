import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { UserError } from '../domain/user-error.ts';
import {
  fileVariableOf,
  type ProgramName,
  type VariableName,
  type VariableOf,
  VARIABLES,
  variablesOf,
  type Values,
} from './variables.ts';

/** The environment variables of a process, as the system passes them. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Wrong or missing settings; each line of the message names a variable and what it must be. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError';
}

interface ReadVariables<Name extends VariableName> {
  readonly values: Values<Name>;
  readonly problems: string[];
}

/** Parses the variables that a program reads, see `readVariables`. */
export function readVariablesOf<Program extends ProgramName>(
  program: Program,
  settings: Settings,
): ReadVariables<VariableOf<Program>> {
  return readVariables(settings, variablesOf(program));
}

/**
 * Parses the named variables; an empty value counts as not set. Problems are collected, so that one message names them all.
 * They never contain values, because some values are secret.
 */
export function readVariables<Name extends VariableName>(
  settings: Settings,
  names: readonly Name[],
): ReadVariables<Name> {
  const problems: string[] = [];
  const entries = [...new Set(names)].map((name) => {
    const { schema, must } = VARIABLES[name];
    const { value, source } = readValue(settings, name, problems);
    const result = schema.safeParse(value);
    if (value !== undefined && !result.success) problems.push(`${source} must ${must}.`);
    return [name, result.success ? result.data : fallback(schema)] as const;
  });
  return { values: Object.fromEntries(entries) as Values<Name>, problems };
}

interface SetValue {
  /** Undefined means not set. */
  readonly value: string | undefined;
  /** What a problem calls it. */
  readonly source: string;
}

/** The text of a variable; that of a secret one that is not set may stand in the file that NAME_FILE names. */
function readValue(settings: Settings, name: VariableName, problems: string[]): SetValue {
  const value = settings[name]?.trim() || undefined;
  const fileVariable = fileVariableOf(name);
  const file = fileVariable === null ? undefined : settings[fileVariable]?.trim() || undefined;
  if (value !== undefined || file === undefined) return { value, source: name };
  const source = `${name}, in the file that ${fileVariable} names,`;
  try {
    return { value: readFileSync(file, 'utf8').trim() || undefined, source };
  } catch {
    problems.push(`The file that ${fileVariable} names cannot be read.`);
    return { value: undefined, source };
  }
}

function fallback(schema: z.ZodType): unknown {
  const result = schema.safeParse(undefined);
  return result.success ? result.data : null;
}

/** The value, or a placeholder and one problem more where it is missing. */
export function required<Type>(value: Type | null, name: VariableName, placeholder: Type, problems: string[]): Type {
  if (value !== null) return value;
  const beginnings = [`${name} `, `${name}, `, `The file that ${name}_FILE `];
  const isReported = problems.some((problem) => beginnings.some((beginning) => problem.startsWith(beginning)));
  if (!isReported) problems.push(`${name} is missing; it must ${VARIABLES[name].must}.`);
  return placeholder;
}

/** @throws ConfigError when there are problems */
export function throwIfAny(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError([...new Set(problems)].join('\n'));
}

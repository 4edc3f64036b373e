import type { z } from 'zod';
import { UserError } from '../domain/user-error.ts';
import { type VariableName, VARIABLES, type Values } from './variables.ts';

/** The environment variables of a process, as the system passes them. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Wrong or missing settings; each line of the message names a variable and what it must be. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError';
}

/**
 * Parses the named variables; an empty value counts as not set. Problems are collected, so that one message names them all.
 * They never contain values, because some values are secret.
 */
export function readVariables<Name extends VariableName>(
  settings: Settings,
  names: readonly Name[],
): { values: Values<Name>; problems: string[] } {
  const problems: string[] = [];
  const entries = [...new Set(names)].map((name) => {
    const { schema, must } = VARIABLES[name];
    const raw = settings[name]?.trim() || undefined;
    const result = schema.safeParse(raw);
    if (raw !== undefined && !result.success) problems.push(`${name} must ${must}.`);
    return [name, result.success ? result.data : fallback(schema)] as const;
  });
  return { values: Object.fromEntries(entries) as Values<Name>, problems };
}

function fallback(schema: z.ZodType): unknown {
  const result = schema.safeParse(undefined);
  return result.success ? result.data : null;
}

/** The value, or a placeholder and one problem more where it is missing. */
export function required<Type>(value: Type | null, name: VariableName, placeholder: Type, problems: string[]): Type {
  if (value !== null) return value;
  if (!problems.some((problem) => problem.startsWith(`${name} `))) {
    problems.push(`${name} is missing; it must ${VARIABLES[name].must}.`);
  }
  return placeholder;
}

/** @throws ConfigError when there are problems */
export function throwIfAny(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError([...new Set(problems)].join('\n'));
}

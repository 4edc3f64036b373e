import { parseArgs } from 'node:util';
import { UserError } from '../domain/user-error.ts';
import { readArguments } from '../scripts/command-arguments.ts';
import { DEFAULT_FAULT_KINDS, FAULT_KINDS, type FaultKind } from './faults/fault-kinds.ts';
import { SCENARIO_NAMES } from './traffic/payment-plan.ts';

/** The options of the command line. */
export interface ChaosOptions {
  /** How long traffic and faults last; healing and checks follow. */
  readonly minutes: number;
  readonly seed: number;
  readonly paymentsPerMinute: number;
  /** How many make payments at once. */
  readonly clients: number;
  readonly faultKinds: readonly FaultKind[];
  /** What happens to every payment; null for all scenarios by their weight. */
  readonly scenario: string | null;
  /** The file for the result as JSON. */
  readonly file: string | undefined;
}

const MAXIMUM_SEED = 2 ** 32 - 1;
const text = { type: 'string' } as const;

const USAGE =
  'npm run chaos -- [--minutes M] [--seed S] [--payments-per-minute N] [--clients N] [--faults a,b,c] [--scenario NAME] [--json FILE]\n' +
  `  The faults are: ${FAULT_KINDS.join(', ')}. "none" injects none, "all" every kind.\n` +
  `  All payments follow one scenario if it is named: ${SCENARIO_NAMES.map((name) => `"${name}"`).join(', ')}.`;

/** @param randomSeed the seed where none is given @throws UserError that says how the command is used */
export function readOptions(args: readonly string[], randomSeed: number): ChaosOptions {
  const values = parse(args);
  return {
    minutes: wholeNumber(values, 'minutes', { fallback: 3, from: 1, to: 24 * 60 }),
    seed: wholeNumber(values, 'seed', { fallback: randomSeed, from: 0, to: MAXIMUM_SEED }),
    paymentsPerMinute: wholeNumber(values, 'payments-per-minute', { fallback: 120, from: 1, to: 6_000 }),
    clients: wholeNumber(values, 'clients', { fallback: 12, from: 1, to: 1_000 }),
    faultKinds: faultKindsOf(values.faults),
    scenario: scenarioOf(values.scenario),
    file: values.json,
  };
}

function parse(args: readonly string[]) {
  const size = { minutes: text, 'payments-per-minute': text, clients: text };
  const options = { ...size, seed: text, faults: text, scenario: text, json: text };
  return readArguments(USAGE, () => parseArgs({ args: [...args], options }).values);
}

function wholeNumber<Name extends string>(
  values: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  { fallback, from, to }: { readonly fallback: number; readonly from: number; readonly to: number },
): number {
  const value = values[name];
  if (value === undefined) return fallback;
  const number = Number(value);
  if (value.trim() === '' || !Number.isInteger(number) || number < from || number > to) {
    throw usageError(`--${name} must be a whole number from ${from} to ${to}.`);
  }
  return number;
}

function usageError(problem: string): UserError {
  return new UserError(`${problem}\n${USAGE}`);
}

function faultKindsOf(value: string | undefined): readonly FaultKind[] {
  if (value === undefined) return DEFAULT_FAULT_KINDS;
  if (value === 'all') return FAULT_KINDS;
  if (value === 'none') return [];
  const names = value.split(',');
  const chosen = FAULT_KINDS.filter((kind) => names.includes(kind));
  const unknown = names.find((name) => !FAULT_KINDS.some((kind) => kind === name));
  if (unknown !== undefined) throw usageError(`There is no fault "${unknown}".`);
  return chosen;
}

function scenarioOf(name: string | undefined): string | null {
  if (name !== undefined && !SCENARIO_NAMES.includes(name)) throw usageError(`There is no scenario "${name}".`);
  return name ?? null;
}

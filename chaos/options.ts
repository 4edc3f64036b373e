import { parseArgs } from 'node:util';
import { UserError } from '../domain/user-error.ts';
import { FAULT_KINDS, type FaultKind } from './faults/fault-kinds.ts';
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

const DEFAULTS = { minutes: 3, paymentsPerMinute: 120, clients: 12 };
const MAXIMUM_SEED = 2 ** 32 - 1;
const MAXIMUM_MINUTES = 24 * 60;
const MAXIMUM_PAYMENTS_PER_MINUTE = 6_000;
const MAXIMUM_CLIENTS = 1_000;
const text = { type: 'string' } as const;

const USAGE =
  'npm run chaos -- [--minutes M] [--seed S] [--payments-per-minute N] [--clients N] [--faults a,b,c] [--scenario NAME] [--json FILE]\n' +
  `  The faults are: ${FAULT_KINDS.join(', ')}. "none" injects none.\n` +
  `  All payments follow one scenario if it is named: ${SCENARIO_NAMES.map((name) => `"${name}"`).join(', ')}.`;

/** @param randomSeed the seed where none is given @throws UserError that says how the command is used */
export function readOptions(args: readonly string[], randomSeed: number): ChaosOptions {
  const values = parse(args);
  return {
    minutes: numberFrom(values.minutes, DEFAULTS.minutes, MAXIMUM_MINUTES),
    seed: values.seed === undefined ? randomSeed : wholeNumber(values.seed, 0, MAXIMUM_SEED),
    paymentsPerMinute: numberFrom(
      values['payments-per-minute'],
      DEFAULTS.paymentsPerMinute,
      MAXIMUM_PAYMENTS_PER_MINUTE,
    ),
    clients: numberFrom(values.clients, DEFAULTS.clients, MAXIMUM_CLIENTS),
    faultKinds: faultKindsOf(values.faults),
    scenario: scenarioOf(values.scenario),
    file: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    const size = { minutes: text, 'payments-per-minute': text, clients: text };
    const options = { ...size, seed: text, faults: text, scenario: text, json: text };
    return parseArgs({ args: [...args], options }).values;
  } catch {
    throw new UserError(USAGE);
  }
}

function numberFrom(value: string | undefined, otherwise: number, largest: number): number {
  return value === undefined ? otherwise : wholeNumber(value, 1, largest);
}

function wholeNumber(value: string, smallest: number, largest: number): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isInteger(number) || number < smallest || number > largest) {
    throw new UserError(USAGE);
  }
  return number;
}

function faultKindsOf(value: string | undefined): readonly FaultKind[] {
  if (value === undefined) return FAULT_KINDS;
  if (value === 'none') return [];
  const names = value.split(',');
  const chosen = FAULT_KINDS.filter((kind) => names.includes(kind));
  if (chosen.length !== new Set(names).size) throw new UserError(USAGE);
  return chosen;
}

function scenarioOf(name: string | undefined): string | null {
  if (name !== undefined && !SCENARIO_NAMES.includes(name)) throw new UserError(USAGE);
  return name ?? null;
}

import { parseArgs } from 'node:util';
import { UserError } from '../domain/user-error.ts';
import { readOptions, type ChaosOptions } from '../chaos/options.ts';

/** The options of the command line. */
export interface ClusterOptions {
  /** Of the traffic. */
  readonly traffic: ChaosOptions;
  /** Whether processes are killed with -9. */
  readonly kills: boolean;
  /** How the standbys follow that take over; null where nothing fails over. */
  readonly failover: 'synchronous' | 'asynchronous' | null;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const FAILOVERS = ['synchronous', 'asynchronous'] as const;
const PAYMENTS_PER_MINUTE = '6000';

const USAGE = `npm run cluster -- [--kill] [--failover synchronous|asynchronous] [--minutes M] [--seed S] [--payments-per-minute N] [--faults a,b,c] [--json FILE]
  The last five are those of npm run chaos; without them there are no faults, and as many payments as twelve clients can make.`;

/** @param randomSeed the seed where none is given @throws UserError that says how the command is used */
export function readClusterOptions(args: readonly string[], randomSeed: number): ClusterOptions {
  const { kill = false, failover, ...values } = parse(args);
  const traffic = { faults: 'none', 'payments-per-minute': PAYMENTS_PER_MINUTE, ...values };
  const chaosArgs = Object.entries(traffic).flatMap(([name, value]) => [`--${name}`, value]);
  return { traffic: readOptions(chaosArgs, randomSeed), kills: kill, failover: failoverOf(failover) };
}

function parse(args: readonly string[]) {
  const traffic = { minutes: text, seed: text, 'payments-per-minute': text, faults: text, json: text };
  try {
    return parseArgs({ args: [...args], options: { kill: flag, failover: text, ...traffic } }).values;
  } catch {
    throw new UserError(USAGE);
  }
}

function failoverOf(value: string | undefined): ClusterOptions['failover'] {
  const found = FAILOVERS.find((each) => each === value);
  if (found === undefined && value !== undefined) throw new UserError(USAGE);
  return found ?? null;
}

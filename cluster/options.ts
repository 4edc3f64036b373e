import { parseArgs } from 'node:util';
import { UserError } from '../domain/user-error.ts';
import { readOptions, type ChaosOptions } from '../chaos/options.ts';

/** The options of the command line. */
export interface ClusterOptions {
  /** Whether databases are restored, rather than traffic made. */
  readonly restores: boolean;
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
const DEFAULTS = { faults: 'none', 'payments-per-minute': '6000', clients: '12' };

const USAGE = `npm run cluster -- [--kill] [--failover synchronous|asynchronous] [--minutes M] [--seed S] [--payments-per-minute N] [--clients N] [--json FILE]
npm run cluster -- restore
  Without --payments-per-minute, the clients (12) make as many payments as they can.`;

/** @param randomSeed the seed where none is given @throws UserError that says how the command is used */
export function readClusterOptions(args: readonly string[], randomSeed: number): ClusterOptions {
  const { values: given, positionals } = parse(args);
  const { kill = false, failover, ...values } = given;
  const [name, ...others] = positionals;
  if (others.length > 0 || (name !== undefined && name !== 'restore')) throw new UserError(USAGE);
  const traffic = { ...DEFAULTS, ...values };
  const chaosArgs = Object.entries(traffic).flatMap(([name, value]) => [`--${name}`, value]);
  return {
    restores: name === 'restore',
    traffic: readOptions(chaosArgs, randomSeed),
    kills: kill,
    failover: failoverOf(failover),
  };
}

function parse(args: readonly string[]) {
  const traffic = { minutes: text, seed: text, 'payments-per-minute': text, clients: text, json: text };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { kill: flag, failover: text, ...traffic } });
  } catch {
    throw new UserError(USAGE);
  }
}

function failoverOf(value: string | undefined): ClusterOptions['failover'] {
  const found = FAILOVERS.find((each) => each === value);
  if (found === undefined && value !== undefined) throw new UserError(USAGE);
  return found ?? null;
}

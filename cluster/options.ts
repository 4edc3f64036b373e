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
  /** The release that is upgraded to this one under the traffic, as git knows it; null where nothing is upgraded. */
  readonly upgradesFrom: string | null;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const FAILOVERS = ['synchronous', 'asynchronous'] as const;
const DEFAULTS = { faults: 'none', 'payments-per-minute': '6000', clients: '12' };
/** So that more than 300 payments are made, on a machine that has room for another worker. */
const DEFAULTS_OF_UPGRADE = { ...DEFAULTS, 'payments-per-minute': '90', clients: '30', minutes: '5' };

const USAGE = `npm run cluster -- [--kill] [--failover synchronous|asynchronous] [--minutes M] [--seed S] [--payments-per-minute N] [--clients N] [--scenario NAME] [--json FILE]
npm run cluster -- --upgrade REVISION [--kill] [--minutes M] [--seed S] [--payments-per-minute N] [--clients N] [--scenario NAME] [--json FILE]
npm run cluster -- restore
  Without --payments-per-minute, 12 clients make as many payments as they can; for an upgrade, 30 clients make 90 a minute.`;

/** @param randomSeed the seed where none is given @throws UserError that says how the command is used */
export function readClusterOptions(args: readonly string[], randomSeed: number): ClusterOptions {
  const { values: given, positionals } = parse(args);
  const { kill = false, failover, upgrade, ...values } = given;
  const [name, ...others] = positionals;
  if (others.length > 0 || (name !== undefined && name !== 'restore')) throw new UserError(USAGE);
  if (upgrade !== undefined && (upgrade === '' || failover !== undefined || name !== undefined)) {
    throw new UserError(USAGE);
  }
  const traffic = { ...(upgrade === undefined ? DEFAULTS : DEFAULTS_OF_UPGRADE), ...values };
  const chaosArgs = Object.entries(traffic).flatMap(([name, value]) => [`--${name}`, value]);
  return {
    restores: name === 'restore',
    traffic: readOptions(chaosArgs, randomSeed),
    kills: kill,
    failover: failoverOf(failover),
    upgradesFrom: upgrade ?? null,
  };
}

function parse(args: readonly string[]) {
  const traffic = { minutes: text, seed: text, 'payments-per-minute': text, clients: text, scenario: text, json: text };
  const options = { kill: flag, failover: text, upgrade: text, ...traffic };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch {
    throw new UserError(USAGE);
  }
}

function failoverOf(value: string | undefined): ClusterOptions['failover'] {
  const found = FAILOVERS.find((each) => each === value);
  if (found === undefined && value !== undefined) throw new UserError(USAGE);
  return found ?? null;
}

import { showHelp } from '../command-arguments.ts';

/** A part of a run, with a process of its own. */
export interface Part {
  /** A folder below `test`, or `chaos`. */
  readonly suite: string;
  /** For example `1/2`: one of the parts into which the suite's files are divided. */
  readonly shard?: string;
  /** Only these files, named as in the results. */
  readonly files?: readonly string[];
  /** Of chaos. */
  readonly seed?: number;
  /** Whether a failure is only reported. */
  readonly isTrial?: boolean;
}

/** What the arguments ask for. */
export interface Choice {
  readonly parts: readonly Part[];
  /** The options of each suite: which tests to run. */
  readonly options: readonly string[];
  /** Whether the files that fail run a second time. Whoever names tests sees their failures at once. */
  readonly repeatsFailedFiles: boolean;
  /** Whether files are left out that depend on nothing that has changed since they passed. */
  readonly onlyChanged: boolean;
}

const FIXED_SEED = 7;
const SEEDS = 1_000_000;

/** How long each run of chaos has traffic and faults. */
export const CHAOS_MINUTES = 1;

/**
 * The order in which the parts begin: first the unit tests, which need no Temporal server, because that may still be in its build;
 * then the long parts; last the short ones, which fill the time at the end.
 */
const ALL: readonly Part[] = [
  { suite: 'unit' },
  { suite: 'end-to-end', shard: '1/2' },
  { suite: 'end-to-end', shard: '2/2' },
  { suite: 'browser' },
  { suite: 'database' },
  { suite: 'crash' },
  { suite: 'chaos', seed: FIXED_SEED },
  // A fixed seed decides about a change, which may not fail by chance. A new one finds what the fixed one does not try.
  { suite: 'chaos', seed: Math.floor(Math.random() * SEEDS), isTrial: true },
  { suite: 'time' },
  { suite: 'simulation' },
  { suite: 'replay' },
];

/** What a change is tested with while it is made: of `end-to-end` the quick files. */
const CORE = ALL.filter(({ suite }) => !['browser', 'chaos', 'crash', 'simulation'].includes(suite));
/** Chaos has no tests with titles to choose from. */
const WITH_TITLES = ALL.filter(({ suite }) => suite !== 'chaos');

const USAGE = `Use one of:
  npm test                        the core of the tests, in about five minutes
  npm run test:all                everything
  npm test -- --changed           of the core, the files that depend on something that has changed since they passed
  npm test -- SUITE [WORDS]       one suite, or its tests whose title contains the words
  npm test -- WORDS               the tests of every suite whose title contains the words
  npm test -- --times             how long each file and each start of a server took in the last run, slowest first
The suites are: ${[...new Set(WITH_TITLES.map(({ suite }) => suite))].join(', ')}.`;

/** Null for the times of the last run. Ends the process for `--help`, and for an option that does not exist. */
export function choose(args: readonly string[]): Choice | null {
  showHelp(USAGE);
  const [first, ...rest] = args;
  const unknown = args.find((arg) => arg.startsWith('-') && !['--all', '--times', '--changed'].includes(arg));
  if (unknown !== undefined) {
    console.error(`There is no option ${unknown}.\n${USAGE}`);
    process.exit(1);
  }
  if (first === '--times') return null;
  const whole = { repeatsFailedFiles: true, onlyChanged: args.includes('--changed') };
  if (first === '--all') return { ...whole, parts: ALL, options: [] };
  if (first === undefined || first === '--changed') return { ...whole, parts: CORE, options: ['--core'] };
  const chosen = { repeatsFailedFiles: false, onlyChanged: false };
  if (WITH_TITLES.some(({ suite }) => suite === first)) return { ...chosen, parts: [{ suite: first }], options: rest };
  return { ...chosen, parts: WITH_TITLES, options: args };
}

/** How a part is called in what a run prints. */
export function nameOf({ suite, shard, seed, files }: Part): string {
  const some = files === undefined ? undefined : `(${files.length} of its files)`;
  return [suite, shard, seed === undefined ? undefined : `with seed ${seed}`, some]
    .filter((word) => word !== undefined)
    .join(' ');
}

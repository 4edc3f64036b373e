import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import PQueue from 'p-queue';
import { backoffMs, isLoggedFailure } from '../../domain/backoff.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { WatchedAccount } from '../../providers/evm/evm-accounts.ts';
import { type AccountToWatch, ACCOUNTS_PAGE_SIZE, type WatchedAccounts } from './watched-accounts.ts';
import { watchDeposits } from './deposit-watcher.ts';

export interface AccountWatcherDependencies {
  readonly database: Pick<Database, 'direct'>;
  /** The accounts of the installation. */
  readonly depositAccounts: readonly WatchedAccount[];
  /** Those of merchants. */
  readonly watchedAccounts: WatchedAccounts;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

interface WatchLimits {
  /** Merchants' accounts that are read at once. */
  readonly concurrency: number;
  /** How many accounts are read at once whose last read failed or took long; they have a queue of their own. */
  readonly slowConcurrency: number;
  /** A read that takes longer is slow. */
  readonly slowMs: number;
  /** Longest read of one account; the next one goes on from there. */
  readonly longestMs: number;
}

const LIMITS: WatchLimits = {
  concurrency: 20,
  slowConcurrency: 5,
  slowMs: 5 * SECOND_MS,
  longestMs: MINUTE_MS,
};

/** The pauses before an account that failed is read again: they grow, but stay short, because a customer waits for a deposit. */
const PAUSES = { shortestMs: 4 * SECOND_MS, longestMs: MINUTE_MS };
const MAXIMUM_REMEMBERED = 10_000;

/** How the last read of an account went. */
interface LastRead {
  /** Failed reads in a row. */
  readonly failures: number;
  readonly wasSlow: boolean;
  /** In milliseconds since the start of the process: a clock that is set back must not make a pause longer. */
  readonly notBefore: number;
}

export interface AccountWatcher {
  /** Begins to read each account that is due and not being read yet. Does not wait until they were read. */
  run(signal: AbortSignal): Promise<void>;
  /** Waits until nothing is being read. */
  finished(): Promise<void>;
}

/**
 * Watches all accounts. No account waits for another's node: one that fails or is slow is read beside the others, in a queue of
 * its own kind.
 */
export function createAccountWatcher(dependencies: AccountWatcherDependencies, limits = LIMITS): AccountWatcher {
  const { depositAccounts, watchedAccounts, logger } = dependencies;
  const queue = new PQueue({ concurrency: limits.concurrency });
  const slowQueue = new PQueue({ concurrency: limits.slowConcurrency });
  const underWay = new Map<string, Promise<void>>();
  const lastReads = new LRUCache<string, LastRead>({ max: MAXIMUM_REMEMBERED });

  const read = async (name: string, open: OpenAccount, stop: AbortSignal): Promise<void> => {
    if (stop.aborted) return;
    const startedAt = performance.now();
    const earlier = lastReads.get(name)?.failures ?? 0;
    try {
      const account = await open();
      const signals = { stop, timeUp: AbortSignal.timeout(limits.longestMs) };
      if (account !== undefined) await watchDeposits(dependencies, account, signals);
      if (earlier > 0) logger.info({ provider: name, failures: earlier }, 'a chain can be read again');
      lastReads.set(name, { failures: 0, wasSlow: performance.now() - startedAt > limits.slowMs, notBefore: 0 });
    } catch (error) {
      if (stop.aborted) return;
      const failures = earlier + 1;
      const pauseMs = backoffMs(failures, PAUSES);
      if (isLoggedFailure(failures))
        logger.error({ provider: name, failures, pauseMs, err: error }, 'a chain cannot be read');
      lastReads.set(name, { failures, wasSlow: true, notBefore: performance.now() + pauseMs });
    }
  };

  /** @param runIn where the account of a merchant waits for its turn */
  const begin = (name: string, runIn: RunIn, task: () => Promise<void>): void => {
    const { notBefore = 0 } = lastReads.get(name) ?? {};
    if (underWay.has(name) || performance.now() < notBefore) return;
    underWay.set(
      name,
      runIn(task).finally(() => underWay.delete(name)),
    );
  };

  const queueOf = (name: string): RunIn => {
    const chosen = lastReads.get(name)?.wasSlow === true ? slowQueue : queue;
    return (task) => chosen.add(task);
  };

  return {
    async run(stop) {
      for (const account of depositAccounts) {
        const { name } = account;
        begin(name, AT_ONCE, () => read(name, () => Promise.resolve(account), stop));
      }
      for await (const account of allOf(watchedAccounts, stop)) {
        const { id } = account;
        begin(id, queueOf(id), () => read(id, () => watchedAccounts.open(account), stop));
      }
    },
    async finished() {
      await Promise.all(underWay.values());
    },
  };
}

type OpenAccount = () => Promise<WatchedAccount | undefined>;
type RunIn = (task: () => Promise<void>) => Promise<void>;

/** The accounts of the installation are few. */
const AT_ONCE: RunIn = (task) => task();

async function* allOf(accounts: WatchedAccounts, stop: AbortSignal): AsyncGenerator<AccountToWatch> {
  let after: string | undefined;
  while (!stop.aborted) {
    const page = await accounts.readPage(after);
    yield* page;
    if (page.length < ACCOUNTS_PAGE_SIZE) return;
    after = page.at(-1)?.id;
  }
}

import { kindOfProviderAccount } from '../../domain/provider-account.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { canBeReconciled, canListSettlements, type PaymentProvider } from '../../providers/payment-provider.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { ProviderSchedules } from '../../workflow-client/provider-schedules.ts';
import { sweepRows } from './sweep.ts';

interface SchedulerDependencies {
  readonly database: Database;
  readonly registry: Pick<ProviderRegistry, 'find'>;
}

export interface ReconciliationSchedulerDependencies extends SchedulerDependencies {
  readonly reconciliations: ProviderSchedules;
  /** The interval of reconciliations; 0 ends their schedules. */
  readonly reconcileEveryMs: number;
}

/** Creates the job that keeps a schedule of reconciliations for every provider that can be asked for payments. */
export function createReconciliationScheduler({
  reconciliations: schedules,
  reconcileEveryMs: everyMs,
  ...dependencies
}: ReconciliationSchedulerDependencies): (signal: AbortSignal) => Promise<'done'> {
  return createScheduler({ ...dependencies, schedules, everyMs, isPossible: canBeReconciled });
}

export interface SettlementSchedulerDependencies extends SchedulerDependencies {
  readonly settlementImports: ProviderSchedules;
  readonly reconcileEveryMs: number;
}

/** Creates the job that keeps a daily schedule of imports for every provider with a list of settlements, unless nothing is reconciled. */
export function createSettlementScheduler({
  settlementImports: schedules,
  reconcileEveryMs,
  ...dependencies
}: SettlementSchedulerDependencies): (signal: AbortSignal) => Promise<'done'> {
  const everyMs = reconcileEveryMs === 0 ? 0 : DAY_MS;
  return createScheduler({ ...dependencies, schedules, everyMs, isPossible: canListSettlements });
}

interface Schedules extends SchedulerDependencies {
  readonly schedules: ProviderSchedules;
  /** 0 ends the schedules. */
  readonly everyMs: number;
  readonly isPossible: (provider: PaymentProvider) => boolean;
}

/**
 * Creates the job that keeps a schedule for every provider for which it is possible: those that a route names, and active accounts
 * of merchants. A worker sets each interval once, at its start, so the settings of the worker that was started last apply.
 * Schedules end with their accounts, and with providers that are not configured any more. If an account
 * cannot be used, for example because no root key opens its credentials, its schedule stays, and the others get theirs.
 */
function createScheduler({
  database,
  registry,
  schedules,
  everyMs,
  isPossible,
}: Schedules): (signal: AbortSignal) => Promise<'done'> {
  /** The providers that this worker has scheduled, and those that it need not check again. */
  const known = new Set<string>();
  const impossible = new Set<string>();

  const canBeScheduled = async (name: string): Promise<boolean> => {
    if (known.has(name)) return true;
    if (impossible.has(name)) return false;
    const provider = await registry.find(name);
    if (provider === undefined) return false;
    if (!isPossible(provider)) impossible.add(name);
    return !impossible.has(name);
  };

  const isOver = async (name: string): Promise<boolean> =>
    everyMs === 0 || kindOfProviderAccount(name) !== undefined || (await registry.find(name)) === undefined;

  return async (signal) => {
    const scheduled = new Set(await schedules.scheduled());
    const names = new Set(everyMs === 0 ? [] : await namesOf(database));
    await sweepRows([...new Set([...names, ...scheduled])], {
      concurrency: 1,
      handle: async (name) => {
        if (names.has(name) && (await canBeScheduled(name))) {
          if (known.has(name) && scheduled.has(name)) return;
          await schedules.schedule(name, everyMs);
          known.add(name);
        } else if (scheduled.has(name) && (await isOver(name))) {
          await schedules.unschedule(name);
          known.delete(name);
        }
      },
      signal,
    });
    return 'done';
  };
}

/** The providers that routes name, and the active accounts of merchants. */
async function namesOf(database: Database): Promise<readonly string[]> {
  const routes = await database.paymentRoute.findMany({ distinct: ['provider'], select: { provider: true } });
  const accounts = await database.providerAccount.findMany({ where: { status: 'active' }, select: { id: true } });
  const configured = routes.map(({ provider }) => provider).filter((name) => kindOfProviderAccount(name) === undefined);
  return [...configured, ...accounts.map(({ id }) => id)];
}

import { kindOfProviderAccount } from '../../domain/provider-account.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { canBeReconciled } from '../../providers/payment-provider.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import type { Reconciliations } from '../../workflow-client/reconciliations.ts';
import { sweepRows } from './sweep.ts';

export interface ReconciliationSchedulerDependencies {
  readonly database: Database;
  readonly reconciliations: Pick<Reconciliations, 'schedule' | 'unschedule' | 'scheduled'>;
  readonly registry: Pick<ProviderRegistry, 'find'>;
  /** The interval of reconciliations; 0 ends their schedules. */
  readonly reconcileEveryMs: number;
}

/**
 * Creates the job that keeps a schedule for every provider that can be reconciled: those that a route names, and active accounts
 * of merchants. A worker sets each interval once, at its start, so the settings of the worker that was started last apply.
 * Schedules end with their accounts, and with providers that are not configured any more. If an account
 * cannot be used, for example because no root key opens its credentials, its schedule stays, and the others get theirs.
 */
export function createReconciliationScheduler({
  database,
  reconciliations,
  registry,
  reconcileEveryMs,
}: ReconciliationSchedulerDependencies): (signal: AbortSignal) => Promise<'done'> {
  /** The providers that this worker has scheduled, and those that it need not check again. */
  const known = new Set<string>();
  const impossible = new Set<string>();

  const canBeScheduled = async (name: string): Promise<boolean> => {
    if (known.has(name)) return true;
    if (impossible.has(name)) return false;
    const provider = await registry.find(name);
    if (provider === undefined) return false;
    if (!canBeReconciled(provider)) impossible.add(name);
    return !impossible.has(name);
  };

  const isOver = async (name: string): Promise<boolean> =>
    reconcileEveryMs === 0 || kindOfProviderAccount(name) !== undefined || (await registry.find(name)) === undefined;

  return async (signal) => {
    const scheduled = new Set(await reconciliations.scheduled());
    const names = new Set(reconcileEveryMs === 0 ? [] : await namesOf(database));
    await sweepRows([...new Set([...names, ...scheduled])], {
      concurrency: 1,
      handle: async (name) => {
        if (names.has(name) && (await canBeScheduled(name))) {
          if (known.has(name) && scheduled.has(name)) return;
          await reconciliations.schedule(name, reconcileEveryMs);
          known.add(name);
        } else if (scheduled.has(name) && (await isOver(name))) {
          await reconciliations.unschedule(name);
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

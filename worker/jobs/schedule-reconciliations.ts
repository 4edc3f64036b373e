import type { Database } from '../../prisma/client.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import type { Reconciliations } from '../../workflows/client/reconciliations.ts';

export interface ReconciliationSchedulerDependencies {
  readonly database: Database;
  readonly reconciliations: Pick<Reconciliations, 'schedule'>;
  readonly registry: Pick<ProviderRegistry, 'find'>;
  /** The interval of reconciliations; 0 ends their schedules. */
  readonly reconcileEveryMs: number;
}

/**
 * Creates the job that schedules the reconciliation of every provider that a route names, if the provider has a list of payments. A
 * worker does so once for each provider, so that the interval is that of the worker which was started last.
 */
export function createReconciliationScheduler({
  database,
  reconciliations,
  registry,
  reconcileEveryMs,
}: ReconciliationSchedulerDependencies): (signal: AbortSignal) => Promise<'done'> {
  const known = new Set<string>();
  return async (signal) => {
    const routes = await database.paymentRoute.findMany({ distinct: ['provider'], select: { provider: true } });
    for (const { provider: name } of routes) {
      if (signal.aborted) break;
      if (known.has(name)) continue;
      const provider = await registry.find(name);
      if (provider?.listPayments !== undefined) await reconciliations.schedule(name, reconcileEveryMs);
      known.add(name);
    }
    return 'done';
  };
}

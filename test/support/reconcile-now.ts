import type { ReconciliationProgress } from '../../domain/reconciliation.ts';
import { createReconciliations } from '../../workflows/client/reconciliations.ts';
import { withTemporal } from './temporal-view.ts';

/** Has the running engine compare what a provider lists from that time until now. */
export function reconcileNow(provider: string, from: Date): Promise<ReconciliationProgress> {
  const window = { from: from.toISOString(), to: new Date().toISOString() };
  return withTemporal(async (client) => {
    const { result } = await createReconciliations(client).start({ provider, ...window });
    return result();
  });
}

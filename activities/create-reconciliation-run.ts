import type { Database } from '../prisma/connection/client.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';

/**
 * Creates a reconciliation run, unless an earlier try has. If its provider is an account at a provider, the run belongs to that
 * account's merchant account.
 * @returns the run as it is stored
 */
export async function createReconciliationRun(
  { providerAccount, reconciliationRun }: Database,
  run: Pick<ReconciliationRun, 'id' | 'provider' | 'windowFrom' | 'windowTo' | 'isContinuous'> &
    Partial<Pick<ReconciliationRun, 'cursor'>>,
): Promise<ReconciliationRun> {
  const owner = await providerAccount.findUnique({
    where: { id: run.provider },
    select: { merchantAccountId: true, environment: true },
  });
  await reconciliationRun.createMany({ data: { ...run, ...owner, startedAt: new Date() }, skipDuplicates: true });
  return reconciliationRun.findUniqueOrThrow({ where: { id: run.id } });
}

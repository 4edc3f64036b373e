import type { Database } from '../../prisma/connection/client.ts';
import { claimDueSavedMethods } from '../../prisma/queries/saved-payment-method.ts';
import type { SavedMethodWorkflows } from '../../workflow-client/saved-method-workflows.ts';
import { sweepRows } from './sweep.ts';

export const SAVED_METHOD_SWEEP_SIZE = 100;
const CONCURRENCY = 10;

export interface SavedMethodSweeperDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly savedMethodWorkflows: SavedMethodWorkflows;
}

/**
 * Starts the workflows of the saved payment methods whose tokens are to be read or removed. A claimed row is due again a minute later,
 * until its workflow has ended its work, so that one that was terminated is started again.
 * @returns how many rows were claimed
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepSavedMethods(
  { database, savedMethodWorkflows }: SavedMethodSweeperDependencies,
  signal: AbortSignal,
): Promise<number> {
  const rows = await database.direct.rows(claimDueSavedMethods(SAVED_METHOD_SWEEP_SIZE));
  await sweepRows(rows, {
    concurrency: CONCURRENCY,
    handle: async (row) => void (await savedMethodWorkflows.start(row)),
    signal,
  });
  return rows.length;
}
